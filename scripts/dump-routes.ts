import fs from 'node:fs'
import path from 'node:path'
import { allEndpoints } from '../contract/src/all-endpoints.ts'

// Writes docs/routes.md from the contract. With --check it writes nothing and fails when the file in the repository differs.

const FILE = path.join(import.meta.dirname, '../docs/routes.md')

const endpoints = allEndpoints.map(({ endpoint }) => endpoint)
const areas = [...new Set(endpoints.map(({ area }) => area))].sort()
const cell = (text: string): string => text.replaceAll('|', '\\|')
const content = [
  '# Routes',
  '',
  'Made by `npm run routes` from `contract/src`; do not edit. Shapes of bodies and answers: `/openapi.json`.',
  '',
  'Access: *public* anyone; *member* a signed-in member; *marketer* a member who may change things (not a viewer); *owner* the',
  'owner alone; *operator* open in a local sandbox, else with the operator’s key.',
  ...areas.flatMap((area) => [
    '',
    `## ${area}`,
    '',
    '| method | path | access | |',
    '|---|---|---|---|',
    ...endpoints
      .filter((endpoint) => endpoint.area === area)
      .sort((a, b) => (a.path === b.path ? (a.method < b.method ? -1 : 1) : a.path < b.path ? -1 : 1))
      .map(({ method, path, access, summary }) => `| ${method} | \`${path}\` | ${access} | ${cell(summary)} |`),
  ]),
  '',
].join('\n')

if (!process.argv.includes('--check')) fs.writeFileSync(FILE, content)
else if (!fs.existsSync(FILE) || fs.readFileSync(FILE, 'utf8') !== content) {
  console.error('docs/routes.md is not what the contract says: run npm run routes and commit it.')
  process.exitCode = 1
}
