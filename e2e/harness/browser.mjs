// One browser for a test file, a fresh visitor for each test, and everything a visit must not do: messages in the
// console, failed requests, requests to another host.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { chromium } from 'playwright-core'
import { USER } from './server.mjs'

export const address = process.env.E2E_ADDRESS
assert.ok(address, 'call the tests by `node run.mjs`, which starts the server')

const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
]
const WAIT_MS = 20_000

let browser
before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.E2E_CHROMIUM ?? '/usr/bin/chromium',
    args: SWITCHES
  })
})
after(() => browser?.close())

// A visitor of a language, a theme and a window size; `visit(page, complaints)` gets a page that is watched.
export async function visitor (options, visit) {
  const { language = 'en-GB', theme = 'light', width = 1440, height = 900 } = options
  const context = await browser.newContext({
    locale: language,
    colorScheme: theme,
    viewport: { width, height },
    timezoneId: 'America/New_York',
    acceptDownloads: true
  })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const complaints = watch(page)
  try {
    await visit(page, complaints)
  } finally {
    await context.close()
  }
}

// A visitor who has signed in.
export async function signedIn (options, visit) {
  await visitor(options, async (page, complaints) => {
    // A connection kept from the visit before may have been closed by the server meanwhile.
    const again = { maxRetries: 2 }
    const answer = await page.request.post(`${address}/api/v1/session`, { data: USER, headers: { origin: address }, ...again })
    assert.equal(answer.status(), 200, `signing in: ${answer.status()} ${await answer.text()}`)
    await visit(page, complaints)
  })
}

// Collects what a clean visit has none of. `allow(text)` makes an exception for what a test provokes.
function watch (page) {
  const found = []
  const allowed = []
  const note = (text) => {
    if (!allowed.some((part) => text.includes(part))) found.push(text)
  }
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`console ${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => note(`page error: ${error.message}`))
  page.on('requestfailed', (request) => {
    // A question overtaken by the next page is no failure.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') note(`request failed: ${request.url()} ${request.failure()?.errorText}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol) && url.origin !== address) {
      note(`another host: ${request.url()}`)
    }
  })
  return {
    allow: (part) => allowed.push(part),
    none: () => assert.deepEqual(found, [], 'what a clean visit has none of')
  }
}

// Opens a path of the page and waits until it has drawn its answer.
export async function open (page, path) {
  await page.goto(address + path)
  await settled(page)
}

// The page says by `aria-busy`, and by a skeleton the first time, that an answer is on its way.
export async function settled (page) {
  await page.getByRole('main').getByRole('heading').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"], .skeleton') === null)
}
