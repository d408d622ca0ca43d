// One question, one answer: the page, the API, the command line, the downloaded file and the sum counted by hand.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { open, signedIn } from '../harness/browser.mjs'
import { apiTotal, commandTotal, csvTotal, expected, micro } from '../harness/books.mjs'
import { text } from '../harness/texts.mjs'

const MONTHS = [
  { month: '2026-10', from: '2026-10-01', to: '2026-11-01' },
  { month: '2026-11', from: '2026-11-01', to: '2026-12-01' }
]

for (const range of MONTHS) {
  test(`the cost of ${range.month} is the same by every door`, async () => {
    await signedIn({}, async (page, complaints) => {
      await open(page, `/?from=${range.from}&to=${range.to}`)
      const shown = micro(await page.locator('[data-tile="cost"] data').first().getAttribute('value'))
      assert.equal(shown, await apiTotal(page, range), 'page and API')
      assert.equal(shown, await commandTotal(range), 'page and command line')

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: text('en', 'shell.download_csv') }).first().click()
      ])
      assert.equal(shown, csvTotal(readFileSync(await download.path(), 'utf8')), 'page and downloaded file')

      // Each of at most 5,856 device-hours with electricity is rounded to the micro-yuan.
      const difference = shown - expected(range.month, 'total')
      assert.ok(difference < 10_000n && difference > -10_000n, `page and expected.toml differ by ${difference} micro-yuan`)
      complaints.none()
    })
  })
}
