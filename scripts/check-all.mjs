// All there is: what .ci/run does and what it leaves out (each page in every way, each template in the browser, long tests), then kills and a
// start from a fresh clone as in the real world.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { install, root, runTool } from './lib.mjs'

const checks = spawnSync('bash', [path.join(root, '.ci/run')], {
  stdio: 'inherit',
  env: { ...process.env, CHECK_ALL: '1' },
})
install()
const kills = await runTool('node', ['server/bench/kill.ts'])
const fresh = await runTool('node', ['server/test/fresh-clone.ts'])
process.exit(checks.status || kills || fresh)
