import axe from 'axe-core'
import { expect, type Page } from '@playwright/test'

/**
 * What axe finds serious in the page, as 'rule where | where'; the contents of frames, which are mails, are not asked. Looks when all has
 * arrived: a window half faded in has too little contrast, and a menu on its way out is one no more.
 */
export async function seriousProblems(page: Page): Promise<string[]> {
  await expect.poll(() => countMoving(page)).toBe(0)
  // Once for each load of the page: axe is a megabyte to read.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({ exclude: [['iframe']] }, { resultTypes: ['violations'], iframes: false })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target).join(' | ')}`)
  })
}

/** What is on its way from one colour or place to another, and will arrive. */
const countMoving = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
        ).length,
  )
