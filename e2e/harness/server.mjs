// The real server with the example company in a data folder of its own: imported, accounted, one user of each kind.

import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..')

// The program under test: named by E2E_BINARY, else what the tests' profile built.
export const binary = resolve(
  root,
  process.env.E2E_BINARY ?? join(process.env.CARGO_TARGET_DIR ?? 'target', 'debug', 'suanzhang')
)
export const example = join(root, 'seed/example')
export const USER = { name: 'cto', password: 'a long enough pass phrase' }

const COMMAND_MS = 180_000
const START_MS = 60_000
const STOP_MS = 20_000

export async function startServer () {
  // PostgreSQL runs as another user when the tests run as root, so the folder must be passable.
  const data = mkdtempSync(join(tmpdir(), 'suanzhang-e2e-'))
  chmodSync(data, 0o755)
  const settings = { SUANZHANG_DATA_DIR: data, SUANZHANG_PAGE_DIR: join(root, 'dist') }
  // What the caller's shell sets for a server of its own does not hold for this one.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SUANZHANG_|DATABASE_URL$)/.test(name))
  const environment = { ...Object.fromEntries(inherited), ...settings }

  let child
  const stop = async () => {
    if (child) await end(child)
    rmSync(data, { recursive: true, force: true })
  }
  try {
    for (const [words, input] of preparation()) await command(words, { environment, input })
    const port = await freePort()
    child = spawn(binary, ['serve'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, SUANZHANG_LISTEN: `127.0.0.1:${port}` }
    })
    const said = listen(child)
    const address = `http://127.0.0.1:${port}`
    await ready(address, child, said)
    return { address, stop, environment: { ...environment, E2E_ADDRESS: address } }
  } catch (error) {
    await stop()
    throw error
  }
}

function preparation () {
  return [
    [['import', join(example, 'facts')]],
    [['account']],
    [['user', 'add', USER.name, '--role', 'viewer'], USER.password + '\n']
  ]
}

// Runs one command of the program to its end and gives what it printed.
export async function command (words, { environment = process.env, input } = {}) {
  const started = Date.now()
  const running = promisify(execFile)(binary, words, {
    env: environment,
    timeout: COMMAND_MS,
    maxBuffer: 64 * 1024 * 1024
  })
  running.child.stdin.end(input ?? '')
  try {
    const { stdout } = await running
    if (process.env.E2E_VERBOSE) console.log(`suanzhang ${words.join(' ')}: ${Date.now() - started} ms\n${stdout}`)
    return stdout
  } catch (error) {
    throw new Error(`suanzhang ${words.join(' ')} failed (${error.code ?? error.signal}):\n${error.stdout}${error.stderr}`)
  }
}

// Keeps the last lines, for the message when the server does not come up.
function listen (child) {
  const said = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text) => {
      said.push(text)
      if (said.length > 200) said.shift()
      if (process.env.E2E_VERBOSE) process.stderr.write(text)
    })
  }
  return said
}

async function ready (address, child, said) {
  const until = Date.now() + START_MS
  while (Date.now() < until) {
    if (child.exitCode !== null) break
    const answer = await fetch(`${address}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the server did not become ready:\n${said.join('')}`)
}

function end (child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  return new Promise((resolve) => {
    const bound = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    child.once('exit', () => {
      clearTimeout(bound)
      resolve()
    })
    child.kill('SIGINT')
  })
}

function freePort () {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
