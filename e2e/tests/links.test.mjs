// The address is the view: what one person chose, another one sees by the link alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, settled, signedIn } from '../harness/browser.mjs'
import { text } from '../harness/texts.mjs'

const en = (path) => text('en', path)

async function shown (page) {
  return {
    cost: await page.locator('[data-tile="cost"] data').first().getAttribute('value'),
    headline: await page.getByRole('heading', { level: 1 }).first().innerText()
  }
}

test('a chosen range travels with the link', async () => {
  let link
  let first
  await signedIn({}, async (page) => {
    await open(page, '/?from=2026-11-01&to=2026-12-01')
    const before = await shown(page)
    await page.getByRole('button', { name: new RegExp(`^${en('shell.range.label')}: `) }).click()
    await page.getByLabel(en('shell.range.from'), { exact: true }).fill('2026-10-12')
    await page.getByLabel(en('shell.range.to'), { exact: true }).fill('2026-10-18')
    await page.getByRole('button', { name: en('shell.range.apply') }).click()
    await page.waitForURL(/from=2026-10-12/)
    await settled(page)
    first = await shown(page)
    assert.notEqual(first.cost, before.cost)
    link = page.url()
  })
  await signedIn({ width: 1024, theme: 'dark' }, async (page) => {
    await page.goto(link)
    await settled(page)
    assert.deepEqual(await shown(page), first)
  })
})

test('the language in the link wins, and back returns to the view before', async () => {
  await signedIn({ language: 'en-GB' }, async (page) => {
    await open(page, '/?from=2026-11-01&to=2026-12-01')
    await page.locator('#language').click()
    await page.waitForURL(/lang=zh/)
    await settled(page)
    assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN')
    await page.goBack()
    await page.waitForURL((url) => !url.search.includes('lang=zh'))
  })
})
