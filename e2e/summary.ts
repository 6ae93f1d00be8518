import fs from 'node:fs'
import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter'

/** Says at the end which journeys passed only the second time, and why not the first: each is to be mended, not to be lived with. */
export default class Summary implements Reporter {
  private journeys: Suite | null = null

  onBegin(_config: FullConfig, journeys: Suite): void {
    this.journeys = journeys
  }

  onEnd(): void {
    const journeys = this.journeys?.allTests() ?? []
    const flaky = journeys.filter((journey) => journey.outcome() === 'flaky')
    const late =
      flaky.length > 0 ? `\nPASSED ONLY THE SECOND TIME, to be mended:\n${flaky.map(describe).join('\n')}\n` : ''
    const failed = journeys.filter((journey) => journey.outcome() === 'unexpected').length
    const passed = journeys.filter((journey) => journey.outcome() === 'expected').length + flaky.length
    // scripts/test.mjs says it at the end of all.
    const report = process.env.JOURNEYS_REPORT
    if (report) fs.writeFileSync(report, JSON.stringify({ passed, failed, late }))
    else process.stdout.write(late)
  }
}

function describe({ title, location, results }: TestCase): string {
  const [first] = results
  const file = location.file.replace(/^.*\/e2e\//, 'e2e/')
  const why = (first?.errors ?? []).map(({ message, snippet }) => [message, snippet].filter(Boolean).join('\n'))
  return `  ${title} (${file}:${location.line})\n${(why.join('\n') || `${first?.status}`).replace(/^/gm, '      ')}`
}
