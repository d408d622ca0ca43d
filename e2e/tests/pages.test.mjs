// Every page of the navigation opens: in both languages and themes with a clean console, accessible, and on a phone
// without sideways scrolling.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { open, signedIn } from '../harness/browser.mjs'
import { text } from '../harness/texts.mjs'

const VIEW = 'from=2026-11-01&to=2026-12-01'
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// The paths behind the navigation, as the page lists them.
async function paths (page) {
  await open(page, `/?${VIEW}`)
  const links = await page.getByRole('navigation').first().getByRole('link').evaluateAll(
    (all) => all.map((link) => new URL(link.href).pathname)
  )
  const found = [...new Set(links)]
  assert.ok(found.length >= 3, `the navigation lists pages: ${found}`)
  return found
}

for (const language of ['zh', 'en']) {
  for (const theme of ['light', 'dark']) {
    test(`every page opens, ${language} ${theme}`, async () => {
      await signedIn({ theme }, async (page, complaints) => {
        for (const path of await paths(page)) {
          await open(page, `${path}?${VIEW}&lang=${language}`)
          const heading = page.getByRole('heading', { level: 1 })
          await heading.first().waitFor()
          const main = await page.getByRole('main').innerText()
          assert.ok(main.trim().length > 20, `${path} shows something`)
          if (language === 'zh') assert.match(main, /[\u4e00-\u9fff]/, path)
          assert.equal(await page.locator('html').getAttribute('lang'), language === 'zh' ? 'zh-CN' : 'en')
          const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
          assert.equal(isDark(ground), theme === 'dark', `${path} is ${theme}: ${ground}`)
        }
        complaints.none()
      })
    })
  }
}

function isDark (color) {
  const [red, green, blue] = color.match(/[\d.]+/g).map(Number)
  return red + green + blue < 384
}

for (const theme of ['light', 'dark']) {
  test(`no page breaks WCAG A or AA, ${theme}`, async () => {
    await signedIn({ theme }, async (page) => {
      for (const path of await paths(page)) {
        await open(page, `${path}?${VIEW}`)
        await page.evaluate(axe)
        const { violations } = await page.evaluate(() => globalThis.axe.run(document, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
        }))
        const told = violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.target.join(' ')).slice(0, 5).join('; ')}`)
        assert.deepEqual(told, [], `${path}, ${theme}`)
      }
    })
  })
}

test('no page scrolls sideways on a phone', async () => {
  await signedIn({ width: 360, height: 740 }, async (page, complaints) => {
    for (const path of await paths(page)) {
      await open(page, `${path}?${VIEW}`)
      const { content, window } = await page.evaluate(() => ({
        content: document.documentElement.scrollWidth,
        window: document.documentElement.clientWidth
      }))
      assert.ok(content <= window, `${path} is ${content} px wide in a window of ${window}`)
    }
    complaints.none()
  })
})

test('an address that is no page says so', async () => {
  await signedIn({}, async (page) => {
    await open(page, '/no-such-page?lang=en')
    await page.getByText(text('en', 'shell.error.not_found_title')).first().waitFor()
  })
})
