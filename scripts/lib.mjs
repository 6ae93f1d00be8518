// Built-ins of Node 20 only: this runs before anything is installed, under whatever Node the machine has.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const modules = path.join(root, 'node_modules')
const bin = path.join(modules, '.bin')

/**
 * The environment of everything started here: our binaries first, the Node of node_modules among them. What Node has compiled once it keeps
 * for the next start, which computes two fifths less; where it cannot write, it goes without.
 */
export const env = {
  NODE_COMPILE_CACHE: path.join(modules, '.cache/compiled'),
  ...process.env,
  PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
}

/** Ends with one clear sentence. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/** Progress goes beside the output of what is run, never into it. */
const progress = (line) => process.stderr.write(`${line}\n`)

/** Installs what package-lock.json asks for, unless that was done already. */
export function install() {
  const lock = path.join(root, 'package-lock.json')
  const done = path.join(modules, '.okaeri-installed')
  const installed = path.join(modules, '.package-lock.json')
  const wanted = createHash('sha256').update(fs.readFileSync(lock)).digest('hex')
  if (fs.existsSync(installed)) {
    if (fs.existsSync(done) && fs.readFileSync(done, 'utf8') === wanted) return
    // Installed by hand after the lock file was written.
    if (!fs.existsSync(done) && fs.statSync(installed).mtimeMs >= fs.statSync(lock).mtimeMs) return
  }
  progress('Installing… (once, about a minute)')
  installAll()
  try {
    fs.writeFileSync(done, wanted)
  } catch (error) {
    fail(`Installing failed: cannot write to ${modules} (${error.code ?? error.message}).`)
  }
}

/** Also what only the build needs, which npm leaves out with NODE_ENV=production. */
function installAll() {
  runToEnd('Installing', 'npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root })
}

/** What it says about its errors is shown, but for a disk that is full or read-only: that is one sentence. */
function runToEnd(what, program, args, options) {
  const { error, status, stderr } = spawnSync(program, args, {
    ...options,
    stdio: ['inherit', 'inherit', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error?.code === 'ENOENT') fail(`${program} is needed to install Okaeri and could not be run (${error.message}).`)
  if (status !== 0) {
    if (/ENOSPC|EDQUOT|no space left on device/i.test(stderr))
      fail(`${what} failed: the disk of ${root} is full; make room on it and start again.`)
    if (/EROFS|read-only file system/i.test(stderr)) fail(`${what} failed: the disk of ${root} is read-only.`)
  }
  process.stderr.write(stderr)
  if (status !== 0) fail(`${what} failed: see above.`)
}

/**
 * Node 24 comes with the dependencies; a machine of another kind needs one that runs TypeScript itself and tells what a thread has computed
 * (`worker.cpuUsage`: server/src/kernel/work/threads.ts), which no version before these does.
 */
export function node() {
  const ours = path.join(bin, 'node')
  if (fs.existsSync(ours)) return ours
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 24 || (major === 24 && minor >= 6) || (major === 22 && minor >= 19)) return process.execPath
  return fail(
    `Okaeri brings its own Node for Linux only; on ${process.platform}-${process.arch} install Node 22.19 or 24.6, or later (this is ${process.version}).`,
  )
}

/** Builds the web application, and the script of shops' pages, when a source is newer than what was built. */
export function buildWeb() {
  build('web', 'the pages', 'index.html', ['public', 'index.html'], ['contract/src'])
  buildWidget()
}
export const buildWidget = () => {
  build('widget', 'the script', 'loader.js', [])
  build('widget/checkout-extension', 'the extension after checkout', 'block.js', [])
}

function build(room, what, file, more, others = []) {
  const built = path.join(root, room, 'dist', file)
  const own = ['src', 'vite.config.ts', 'package.json', ...more].map((name) => path.join(room, name))
  const sources = [...own, ...others]
  const newest = Math.max(...sources.map((source) => newestIn(path.join(root, source))))
  if (fs.existsSync(built) && fs.statSync(built).mtimeMs >= newest) return
  const vite = path.join(modules, 'vite/bin/vite.js')
  // Installed by hand, without what the build needs.
  if (!fs.existsSync(vite)) installAll()
  progress(`Building ${what}…`)
  runToEnd(`Building ${what}`, node(), [vite, 'build', '--logLevel', 'warn'], {
    cwd: path.join(root, room),
    // Whatever Okaeri is run as, this is what people use.
    env: { ...env, NODE_ENV: 'production' },
  })
}

function newestIn(place) {
  if (!fs.existsSync(place)) return 0
  const stat = fs.statSync(place)
  if (!stat.isDirectory()) return stat.mtimeMs
  return fs.readdirSync(place).reduce((newest, name) => Math.max(newest, newestIn(path.join(place, name))), 0)
}

/**
 * Runs a program of node_modules (or `node`) to its end; returns its exit status, 1 when a signal ended it. With `tied`, the program hears
 * ('disconnect') when this one is killed.
 */
export function runTool(name, args, { env: extraEnv = {}, tied = false } = {}) {
  const program = name === 'node' ? node() : path.join(bin, name)
  const stdio = ['inherit', 'inherit', 'inherit', ...(tied ? ['ipc'] : [])]
  const child = spawn(program, args, { cwd: root, env: { ...env, ...extraEnv }, stdio })
  const forward = (signal) => child.kill(signal)
  process.on('SIGTERM', forward)
  // The terminal has sent the signal to the child already; only waiting for its end is left.
  const wait = () => undefined
  process.on('SIGINT', wait)
  return new Promise((resolve) => {
    child.once('error', (error) => fail(`Cannot run ${name} (${error.message}).`))
    child.once('exit', (code) => {
      process.off('SIGTERM', forward)
      process.off('SIGINT', wait)
      resolve(code ?? 1)
    })
  })
}
