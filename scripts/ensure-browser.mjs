// Finds Chromium for the browser journeys; `--install` (or being root on Debian) installs it with Japanese fonts.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const runs = (file, args = ['--version']) => spawnSync(file, args, { stdio: 'ignore' }).status === 0
const onPath = (name) => {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, name)
    if (folder && fs.existsSync(file)) return file
  }
  return null
}

/** A Chromium that starts: CHROMIUM, the system's, or Playwright's own; null when there is none. */
export function findBrowser() {
  const candidates = [
    process.env.CHROMIUM,
    ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(onPath),
    ...playwrightBrowsers(),
  ]
  return candidates.find((file) => file && runs(file)) ?? null
}

function playwrightBrowsers() {
  const folder = process.env.PLAYWRIGHT_BROWSERS_PATH ?? path.join(os.homedir(), '.cache/ms-playwright')
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort()
    .reverse()
    .flatMap((name) => ['chrome-linux', 'chrome-linux64'].map((part) => path.join(folder, name, part, 'chrome')))
    .filter((file) => fs.existsSync(file))
}

const canInstall = () => process.getuid?.() === 0 && onPath('apt-get') !== null

function aptInstall() {
  process.stderr.write('Installing Chromium and Japanese fonts…\n')
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update', '-qq'], quiet)
  return (
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-cjk'], quiet)
      .status === 0
  )
}

/** The browser, installed where that is asked for and possible; null, after saying what is missing, where it is not. */
export function ensureBrowser({ install = false } = {}) {
  const found = findBrowser()
  if (found) return found
  if (canInstall()) aptInstall()
  else if (install)
    process.stderr.write('Chromium cannot be installed from here: that needs root on Debian or Ubuntu (apt-get).\n')
  const installed = findBrowser()
  if (!installed)
    process.stderr.write(
      'No Chromium was found for the browser journeys. Install it (Debian: apt-get install chromium fonts-noto-cjk) or set CHROMIUM to its path.\n',
    )
  return installed
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const browser = ensureBrowser({ install: process.argv.includes('--install') })
  if (browser) process.stdout.write(`${browser}\n`)
  process.exit(browser ? 0 : 1)
}
