// What the top bar names and offers: the zone once, only choices that act, scopes by name; and which days are compared.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, open, settled, signedIn } from '../harness/browser.mjs'
import { text } from '../harness/texts.mjs'

const en = (path, values) => text('en', path, values)
const NOVEMBER = 'from=2026-11-01&to=2026-12-01'
const PAGES = ['/', '/waste', '/imports', '/health']

// The menus a page offers, by their class.
async function menus (page) {
  const all = await page.locator('.choose .menu').evaluateAll((found) => found.map((menu) => menu.className))
  return all.map((name) => name.replace('menu ', ''))
}

for (const width of [1440, 390]) {
  test(`every page names the ledger zone once, ${width} px`, async () => {
    await signedIn({ width }, async (page) => {
      for (const path of PAGES) {
        await open(page, `${path}?${NOVEMBER}`)
        const shown = await page.locator('body').innerText()
        assert.equal(shown.split(en('shell.beijing_time')).length - 1, 1, path)
      }
    })
  })
}

test('a page offers the choices it uses, and links keep the others', async () => {
  const expected = { '/': ['scope', 'range', 'compare'], '/waste': ['scope', 'range'], '/imports': [], '/health': [] }
  await signedIn({}, async (page) => {
    for (const path of PAGES) {
      await open(page, `${path}?${NOVEMBER}&project=chat&compare=previous`)
      assert.deepEqual(await menus(page), expected[path], path)
      const home = page.getByRole('navigation').first().getByRole('link').first()
      assert.match(await home.getAttribute('href'), /from=2026-11-01&to=2026-12-01&project=chat&compare=previous/, path)
    }
  })
})

test('a scope is found by its name and by its id, and named when chosen', async () => {
  await signedIn({}, async (page) => {
    await open(page, `/?${NOVEMBER}`)
    await page.getByRole('button', { name: new RegExp(`^${en('shell.scope.label')}: `) }).click()
    const menu = page.locator('.menu.scope')
    await menu.locator('a[title="chat"]').waitFor()
    for (const words of ['对话', 'chat']) {
      await menu.getByRole('searchbox').fill(words)
      await menu.locator('a[title="search"]').waitFor({ state: 'detached' })
      assert.deepEqual(await menu.locator('a[title]').allInnerTexts(), ['对话服务'])
    }
    await menu.locator('a[title="chat"]').click()
    await page.waitForURL(/project=chat/)
    await settled(page)
    await page.getByRole('button', { name: '对话服务' }).waitFor()
  })
})

test('a range with books in part is compared in that part, which is said', async () => {
  await signedIn({}, async (page) => {
    await open(page, '/?from=2026-11-16&to=2027-01-01&compare=previous')
    const against = en('shell.compared.against', { days: '1–15\u00a0Nov' })
    const headline = await page.getByRole('heading', { level: 1 }).innerText()
    assert.ok(headline.includes(against) && headline.includes('16–30\u00a0Nov\u00a02026'), headline)
    assert.ok((await page.locator('[data-tile="cost"]').innerText()).includes(against))
    const before = await page.request.get(`${address}/api/v1/query?metric=cost&from=2026-11-01&to=2026-11-16`)
    const overview = await page.request.get(`${address}/api/v1/overview?from=2026-11-16&to=2027-01-01&compare=previous`)
    assert.equal((await overview.json()).cost.compare, (await before.json()).rows.at(-1).value.money)
  })
})

test('days without books leave a dash, with the reason', async () => {
  await signedIn({}, async (page) => {
    await open(page, `/?${NOVEMBER}&compare=last_year`)
    const dash = page.locator('[data-tile="cost"] abbr.missing')
    assert.equal(await dash.getAttribute('title'), en('shell.compared.no_books', { days: 'Nov\u00a02025' }))
  })
})

test('the energy shown is the query’s', async () => {
  await signedIn({}, async (page) => {
    await open(page, `/?${NOVEMBER}`)
    const shown = await page.locator('data.energy').getAttribute('value')
    const answer = await page.request.get(`${address}/api/v1/query?metric=kwh&${NOVEMBER}`)
    assert.equal(shown, (await answer.json()).rows.at(-1).value.number)
  })
})
