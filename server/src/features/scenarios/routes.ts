import { planIncludes } from '@okaeri/contract/merchants/plan-features'
import { channelOfKind } from '@okaeri/contract/scenarios/flow/flow'
import { getHoldout as getHoldoutEndpoint } from '@okaeri/contract/scenarios/holdout'
import { previewMove } from '@okaeri/contract/scenarios/flow/moving'
import { type NodeKindName, nodeKindNames, nodeKinds } from '@okaeri/contract/scenarios/node-kinds/index'
import { getOutlook as getOutlookEndpoint } from '@okaeri/contract/scenarios/outlook'
import * as contract from '@okaeri/contract/scenarios/routes'
import { releaseHeldStep as releaseStepEndpoint } from '@okaeri/contract/scenarios/step-circuit-breaker'
import { NO_CONDITIONS } from '@okaeri/contract/scenarios/scenario'
import type { Routes } from '../../kernel/http/http.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { readFavoriteSettings } from '../favorites/index.ts'
import { findNeed, getTemplate, listScenarioUses, makeFlow, type Template, templates } from '../flows/index.ts'
import { isLineConnected } from '../line-accounts/index.ts'
import { getMerchant, presentPlan } from '../merchants/index.ts'
import { listCategories } from '../segments/index.ts'
import { releaseHeldStep } from './held-steps.ts'
import { getHoldout } from './holdout.ts'
import { checkScenarios, getScenario, listScenarios } from './listing.ts'
import { getOutlook } from './outlook.ts'
import {
  saveFlow,
  changeScenario,
  checkFlow,
  createScenario,
  deleteScenario,
  duplicateScenario,
  enableScenario,
  previewRunningMoves,
  getFlow,
  recreateScenario,
  stopScenario,
} from './scenario.ts'

export function scenarioRoutes(on: Routes): void {
  on.merchant(getHoldoutEndpoint)(async ({ scope, params }) => ({ holdout: await getHoldout(scope, params.id) }))
  on.merchant(getOutlookEndpoint)(async ({ scope, params }) => ({ outlook: await getOutlook(scope, params.id) }))
  on.merchant(contract.listNodeTypes)(async ({ scope }) => {
    const plan = presentPlan(await getMerchant(scope), scope.now)
    const allowed = { byPlan: planIncludes(plan, 'flow_editor'), byLine: await isLineConnected(scope) }
    return { node_types: nodeKindNames.map((kind) => describeKind(kind, allowed)) }
  })
  on.merchant(contract.listActionTemplates)(async ({ scope }) => {
    const began = await beginnings(scope)
    return {
      data: templates.map((template) => ({
        ...presentTemplate(began(template)),
        flow: makeFlow(template, everything(template), NO_CONDITIONS).flow,
      })),
    }
  })
  on.merchant(contract.getActionTemplate)(async ({ scope, params }) => ({
    actiontemplate: presentTemplate((await beginnings(scope))(getTemplate(params.slug))),
    condition_params: { categories: await listCategories(scope) },
    need: await findNeed(scope, getTemplate(params.slug)),
  }))
  on.merchant(contract.previewTemplate)(async ({ scope, params, body }) => {
    const template = getTemplate(params.slug)
    const { flow } = makeFlow(template, body.form, body.conditions)
    const { reentry } = makeFlow(template, body.form, NO_CONDITIONS).flow
    return { flow, template_reentry: reentry, problems: await checkFlow(scope, flow, 'form') }
  })
  on.merchant(contract.listScenarios)(async ({ scope, query }) => listScenarios(scope, query))
  on.merchant(contract.createScenario)(async ({ scope, body }) => ({ action: await createScenario(scope, body) }))
  on.merchant(contract.checkScenarios)(async ({ scope }) => checkScenarios(scope))
  on.merchant(contract.checkFlow)(async ({ scope, body }) => ({ problems: await checkFlow(scope, body.flow) }))
  on.merchant(contract.getScenario)(async ({ scope, params }) => ({
    action: await getScenario(scope, params.id),
    used_by: await listScenarioUses(scope, params.id),
  }))
  on.merchant(contract.changeScenario)(async ({ scope, params, body }) => ({
    action: await changeScenario(scope, params.id, body),
  }))
  on.merchant(contract.deleteScenario)(async ({ scope, params, reply }) => {
    await deleteScenario(scope, params.id)
    return reply.send()
  })
  on.merchant(contract.recreateScenario)(async ({ scope, params, body }) => ({
    action: await recreateScenario(scope, params.id, body.form),
  }))
  on.merchant(contract.getFlow)(async ({ scope, params }) => getFlow(scope, params.id))
  on.merchant(contract.saveFlow)(async ({ scope, params, body }) => saveFlow(scope, params.id, body))
  on.merchant(previewMove)(async ({ scope, params, body }) => ({
    moving: await previewRunningMoves(scope, params.id, body),
  }))
  on.merchant(contract.duplicateScenario)(async ({ scope, params, body }) => ({
    action: await duplicateScenario(scope, params.id, body.language),
  }))
  on.merchant(contract.enableScenario)(async ({ scope, params }) => ({
    action: await enableScenario(scope, params.id),
  }))
  on.merchant(releaseStepEndpoint)(async ({ scope, params, body }) => ({
    count: await releaseHeldStep(scope, params.id, body.node_id),
  }))
  on.merchant(contract.stopScenario)(async ({ scope, params }) => ({ action: await stopScenario(scope, params.id) }))
}

function presentTemplate({ makeFlow: _makeFlow, needs: _needs, schema, ...template }: Template) {
  return { ...template, schema: [...schema] }
}
/** What the merchant set for new scenarios about favorites, in the forms of their templates. */
async function beginnings(scope: MerchantScope): Promise<(template: Template) => Template> {
  const { quiet_days, low_stock } = await readFavoriteSettings(scope)
  const begin: Partial<Record<string, number>> = { quiet_days, stock: low_stock }
  return (template) =>
    template.classname.startsWith('Favorite')
      ? {
          ...template,
          schema: template.schema.map((field) => ({ ...field, default: begin[field.slug] ?? field.default })),
        }
      : template
}
/** The picture in the gallery shows everything a template can do. */
const everything = (template: Template) =>
  Object.fromEntries(template.schema.flatMap(({ slug, type }) => (type === 'checkbox' ? [[slug, true]] : [])))

function describeKind(kind: NodeKindName, allowed: { byPlan: boolean; byLine: boolean }) {
  const needsLine = channelOfKind(kind) === 'line' && !allowed.byLine
  const unavailable_because = needsLine ? ('not_connected' as const) : allowed.byPlan ? null : ('plan' as const)
  const { rules, shape } = nodeKinds[kind]
  const { name, description } = rules.words
  const ports = Object.keys(shape.shape.next.shape)
  return {
    kind,
    name_ja: name.ja,
    name_en: name.en,
    description_ja: description.ja,
    description_en: description.en,
    ports,
    available: unavailable_because === null,
    unavailable_because,
  }
}
