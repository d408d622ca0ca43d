// The page's own texts, so that a test finds what a reader of that language reads.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../frontend/locales')

// `text('zh', 'shell.sign_in.submit')`; `{name}` in it is filled from `values`.
export function text (language, path, values = {}) {
  const [file, ...keys] = path.split('.')
  const texts = JSON.parse(readFileSync(join(folder, language, `${file}.json`), 'utf8'))
  const found = keys.reduce((node, key) => node?.[key], texts)
  if (typeof found !== 'string') throw new Error(`no text ${path} in ${language}`)
  return found.replace(/\{\{?\s*(\w+)\s*\}?\}/g, (_, name) => values[name] ?? '')
}
