// The same total by other doors: the API, the command line, the files, and the sum counted by hand beside the example.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { address } from './browser.mjs'
import { command, example } from './server.mjs'

// Micro-yuan of a decimal text, exactly.
export function micro (text) {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? assert.fail(`no amount: ${text}`)
  return BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`)
}

export async function apiTotal (page, { from, to }) {
  const path = `${address}/api/v1/query?metric=cost&group_by=project&from=${from}&to=${to}`
  const answer = await page.request.get(path)
  assert.equal(answer.status(), 200, await answer.text())
  const { rows } = await answer.json()
  const total = rows.at(-1)
  assert.ok(total.groups.every((group) => group === null), 'the total stands last')
  const parts = rows.slice(0, -1).reduce((sum, row) => sum + micro(row.value.money), 0n)
  assert.equal(parts, micro(total.value.money), 'the rows add up to the total')
  return parts
}

export async function commandTotal ({ from, to }) {
  const words = ['query', '--metric', 'cost', '--group-by', 'project', '--from', from, '--to', to, '--format', 'csv']
  return csvTotal(await command(words))
}

// The total row of a CSV of the query: the last one, its groups empty.
export function csvTotal (csv) {
  const lines = csv.replace(/^\ufeff/, '').trim().split(/\r?\n/)
  const value = lines[0].split(',').indexOf('value')
  assert.ok(value >= 0, `a column named value: ${lines[0]}`)
  const rows = lines.slice(1).map((line) => line.split(','))
  const total = micro(rows.at(-1)[value])
  const parts = rows.slice(0, -1).reduce((sum, row) => sum + micro(row[value]), 0n)
  assert.equal(parts, total, 'the rows of the file add up to its total')
  return total
}

// Yuan of a month as `expected.toml` has them.
export function expected (month, name) {
  const text = readFileSync(join(example, 'expected.toml'), 'utf8')
  const section = text.split(`["${month}"]`)[1]
  return micro(new RegExp(`^${name} = "(.*)"$`, 'm').exec(section)[1])
}
