// Runs the browser tests against one real server: starts it on a free port with the example company, hands its address
// to node's test runner, and stops it whatever happens. `node run.mjs [name…]` runs only the files with these names.

import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from './harness/server.mjs'

const folder = join(dirname(fileURLToPath(import.meta.url)), 'tests')
const wanted = process.argv.slice(2)
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .sort()
  .map((name) => join(folder, name))

const MINUTES = 15

const server = await startServer()
let status = 1
try {
  status = await runTests(files, server)
} finally {
  await server.stop()
}
process.exit(status)

function runTests (files, server) {
  return new Promise((resolve) => {
    const runner = spawn(process.execPath, ['--test', '--test-reporter=spec', ...files], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: server.environment
    })
    const bound = setTimeout(() => {
      console.error(`browser tests: stopped after ${MINUTES} minutes`)
      runner.kill('SIGKILL')
    }, MINUTES * 60_000)
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => runner.kill(signal))
    runner.on('exit', (code) => {
      clearTimeout(bound)
      resolve(code ?? 1)
    })
  })
}
