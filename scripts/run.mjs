// Runs a program of node_modules with the Node of node_modules, installing first where that was not done.
import { fail, install, runTool } from './lib.mjs'

const [name, ...args] = process.argv.slice(2)
if (!name) fail('Usage: node scripts/run.mjs <program of node_modules> [arguments]')
install()
process.exit(await runTool(name, args))
