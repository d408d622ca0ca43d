// Signing in: refused with a wrong password, let in with the right one at the address that was asked for, and out.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, settled, visitor } from '../harness/browser.mjs'
import { USER } from '../harness/server.mjs'
import { text } from '../harness/texts.mjs'

const en = (path) => text('en', path)

test('a wrong password is refused, the right one leads to the address asked for', async () => {
  await visitor({}, async (page, complaints) => {
    // The page asks who is there (401), and the browser reports refused answers by itself.
    complaints.allow('401')
    const asked = `${address}/waste?from=2026-11-01&to=2026-12-01`
    await page.goto(asked)
    await page.getByLabel(en('shell.sign_in.name')).fill(USER.name)
    const password = page.getByLabel(en('shell.sign_in.password'), { exact: true })
    const submit = page.getByRole('button', { name: en('shell.sign_in.submit') })

    await password.fill('not the pass phrase')
    await submit.click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    assert.match(await alert.innerText(), new RegExp(en('shell.code.wrong_credentials').replace('.', '\\.')))

    await password.fill(USER.password)
    await submit.click()
    await page.getByRole('navigation').first().waitFor()
    await settled(page)
    assert.equal(page.url(), asked)

    await page.getByRole('button', { name: new RegExp(`^${en('shell.user.label')}: `) }).click()
    await page.getByRole('button', { name: en('shell.user.sign_out') }).click()
    await password.waitFor()
    const session = await page.request.get(`${address}/api/v1/session`)
    assert.equal(session.status(), 401)
    complaints.none()
  })
})

test('the form speaks the reader’s language', async () => {
  await visitor({ language: 'zh-CN' }, async (page) => {
    await page.goto(address)
    await page.getByRole('button', { name: text('zh', 'shell.sign_in.submit') }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN')
  })
})
