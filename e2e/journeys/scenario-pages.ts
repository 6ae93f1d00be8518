import { expect, type Page } from '@playwright/test'
import { choose, field } from './sending.ts'
import type { Say } from './words.ts'

type Part = 'overview' | 'people' | 'messages' | 'rehearsal' | 'settings'

/** A part of the scenario's page; where something in it waits for a person its name says so. */
export const part = (page: Page, t: Say, name: Part) =>
  page
    .getByRole('tablist', { name: t('scenarios.tabs.label') })
    .getByRole('tab', { name: new RegExp(`^${t(`scenarios.tabs.${name}`)}`) })

/** The row of a person's execution, in the part about people. */
export const execution = (page: Page, t: Say, email: string) =>
  page
    .getByRole('region', { name: t('scenarios.history.title') })
    .getByRole('row')
    .filter({ hasText: email })

export async function useTemplate(page: Page, t: Say, name: string): Promise<void> {
  await page.goto('actions/new')
  await chooseTemplate(page, t, name)
}

/** From a scenario's page to the form of another, as one clicks. */
export async function useNextTemplate(page: Page, t: Say, name: string): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('link', { name: t('scenarios.back'), exact: true })
    .click()
  await page
    .getByRole('main')
    .getByRole('link', { name: t('scenarios.add'), exact: true })
    .first()
    .click()
  await chooseTemplate(page, t, name)
}

async function chooseTemplate(page: Page, t: Say, name: string): Promise<void> {
  await page.getByRole('link', { name: t('scenarios.gallery.chooseName', { name }), exact: true }).click()
  await expect(field(page, t('scenarios.name'))).toHaveValue(name)
}

/** On the scenario's page. */
export async function enable(page: Page, t: Say): Promise<void> {
  await page.getByRole('button', { name: t('scenarios.do.enable'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('scenarios.do.enable'), exact: true })
    .click()
  await expect(page.getByText(t('scenarios.status.active'), { exact: true }).first()).toBeVisible()
}

/** As `/actiontemplates` tells it: the words of a form are the server's. */
export interface TemplateForm {
  classname: string
  name_ja: string
  name_en: string
  schema: readonly { slug: string; nameJa: string; nameEn: string; type: string }[]
}

/** Fills in what is named, by slug, in a form in Japanese: numbers and mails (by name) as texts, checkboxes as true. */
export async function fillIn(
  page: Page,
  { schema }: TemplateForm,
  values: Readonly<Record<string, string | true>>,
): Promise<void> {
  for (const [slug, value] of Object.entries(values)) {
    const asked = schema.find((each) => each.slug === slug)
    if (!asked) throw new Error(`the form has no field ${slug}`)
    if (value === true) await page.getByRole('checkbox', { name: asked.nameJa, exact: true }).check()
    else if (asked.type === 'number') await field(page, asked.nameJa).fill(value)
    else await choose(page, asked.nameJa, new RegExp(`^${value}`), value)
  }
}
