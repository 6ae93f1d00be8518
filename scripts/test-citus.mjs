import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fail, runTool } from './lib.mjs'

// The server's tests on a Citus cluster of this machine: a coordinator and two workers, made for the run (server/test/citus.ts). What is
// given behind it goes to vitest: `npm run test:citus -- server/src/features/campaigns`.

const tell = (program, question) => {
  const { status, stdout } = spawnSync(program, [question], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

const given = process.env.PGBIN
const config = given ? path.join(given, 'pg_config') : 'pg_config'
const bin = given ?? tell(config, '--bindir')
if (!bin || !fs.existsSync(path.join(bin, 'initdb')))
  fail(
    'No PostgreSQL server is installed here that could be asked for: set PGBIN to the folder of its initdb and pg_config.',
  )
const [share, libraries] = [tell(config, '--sharedir'), tell(config, '--pkglibdir')]
if (!share || !libraries)
  fail(
    `${config} does not say where the extensions of PostgreSQL are: install the package it is in (of Debian: postgresql-server-dev).`,
  )
const control = path.join(share, 'extension/citus.control')
for (const file of [control, path.join(libraries, 'citus.so')])
  if (!fs.existsSync(file))
    fail(`Citus is not installed for the PostgreSQL in ${bin}: ${file} is missing. PGBIN names another PostgreSQL.`)

process.exit(
  await runTool('vitest', ['run', '--project', 'server', '--maxWorkers=2', ...process.argv.slice(2)], {
    env: { CITUS_BIN: bin },
    tied: true,
  }),
)
