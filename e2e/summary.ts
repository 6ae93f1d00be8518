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
    const late = journeys.filter((journey) => journey.outcome() === 'flaky')
    if (late.length > 0)
      process.stdout.write(`\nPASSED ONLY THE SECOND TIME, to be mended:\n${late.map(describe).join('\n')}\n`)
    const failed = journeys.filter((journey) => journey.outcome() === 'unexpected').length
    const passed = journeys.filter((journey) => journey.outcome() === 'expected').length + late.length
    // For scripts/test.mjs.
    if (process.env.JOURNEYS_REPORT) fs.writeFileSync(process.env.JOURNEYS_REPORT, JSON.stringify({ passed, failed }))
  }
}

function describe({ title, location, results }: TestCase): string {
  const [first] = results
  const file = location.file.replace(/^.*\/e2e\//, 'e2e/')
  const why = (first?.errors ?? []).map(({ message, snippet }) => [message, snippet].filter(Boolean).join('\n'))
  return `  ${title} (${file}:${location.line})\n${(why.join('\n') || `${first?.status}`).replace(/^/gm, '      ')}`
}
