// Finds Chromium for the browser journeys. Where there is none it is installed: by Debian for root, with Japanese fonts, else by Playwright.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { env, install, root } from './lib.mjs'

const DOWNLOAD_PATIENCE_MS = 10 * 60_000

const runs = (file, args = ['--version']) => spawnSync(file, args, { stdio: 'ignore' }).status === 0
const onPath = (name) => {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, name)
    if (folder && fs.existsSync(file)) return file
  }
  return null
}

// The one without windows does the same for a quarter less computing.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** A Chromium that starts: CHROMIUM, the system's, or Playwright's own; null when there is none. */
export function findBrowser() {
  const candidates = [process.env.CHROMIUM, ...names.map(onPath), playwrightsOwn()]
  return candidates.find((file) => file && runs(file)) ?? null
}

/** Where Playwright keeps what it downloads; null while it is not installed itself. */
function playwrightsOwn() {
  try {
    const file = createRequire(path.join(root, 'e2e/package.json'))('@playwright/test').chromium.executablePath()
    return fs.existsSync(file) ? file : null
  } catch {
    return null
  }
}

function installByDebian() {
  if (process.getuid?.() !== 0 || onPath('apt-get') === null) return
  process.stderr.write('Installing Chromium and Japanese fonts…\n')
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update', '-qq'], quiet)
  // Ubuntu has the second only.
  for (const name of ['chromium-headless-shell', 'chromium'])
    if (
      spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-noto-cjk'], quiet)
        .status === 0
    )
      return
}

function downloadByPlaywright() {
  install()
  process.stderr.write('Downloading Chromium by Playwright…\n')
  const playwright = path.join(root, 'node_modules/.bin/playwright')
  spawnSync(playwright, ['install', 'chromium'], { stdio: 'ignore', env, timeout: DOWNLOAD_PATIENCE_MS })
}

/** The browser, installed where that is possible; null, after saying what is missing, where it is not. */
export function ensureBrowser() {
  for (const getOne of [null, installByDebian, downloadByPlaywright]) {
    getOne?.()
    const found = findBrowser()
    if (found) return found
  }
  process.stderr.write(
    'No Chromium was found for the browser journeys, and none could be installed; install it (Debian: apt-get install chromium-headless-shell fonts-noto-cjk) or set CHROMIUM to its path.\n',
  )
  return null
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  // While npm installs, which Playwright's own would have to wait for.
  if (process.argv.includes('--by-system')) {
    if (!findBrowser()) installByDebian()
    process.exit(0)
  }
  const browser = ensureBrowser()
  if (browser) process.stdout.write(`${browser}\n`)
  process.exit(browser ? 0 : 1)
}
