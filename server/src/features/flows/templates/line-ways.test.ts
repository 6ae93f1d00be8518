import type { FlowNode } from '@okaeri/contract/scenarios/flow/flow'
import { checkFlowShape } from '@okaeri/contract/scenarios/flow/flow-check'
import { NO_CONDITIONS } from '@okaeri/contract/scenarios/scenario'
import { expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { getTemplate, makeFlow, templates } from './index.ts'

const names = templates.map(({ classname }) => classname).filter((name) => name !== 'LineIfNotOpenedAction')
/** Everything is wanted and chosen, but for what these types of field choose. */
function flowOf(classname: string, left: readonly string[] = []) {
  const template = getTemplate(classname)
  const form = Object.fromEntries(
    template.schema.flatMap(({ slug, type }): [string, string | boolean][] => {
      if (type === 'checkbox') return [[slug, true]]
      const isChosen = ['emailtemplate', 'linemessage', 'segment'].includes(type) && !left.includes(type)
      return isChosen ? [[slug, newId()]] : []
    }),
  )
  return makeFlow(template, form, NO_CONDITIONS).flow
}
const sending = (nodes: readonly FlowNode[], kind: 'send_email' | 'send_line') =>
  nodes.flatMap((node) => (node.kind === kind ? [node] : []))

test.for(names)('%s: an email, a LINE message, or LINE for friends and the email for the others', (classname) => {
  const mails = sending(flowOf(classname, ['linemessage']).nodes, 'send_email')
  const alone = flowOf(classname, ['emailtemplate'])
  const both = flowOf(classname)
  expect(mails.length).toBeGreaterThan(0)
  expect(sending(alone.nodes, 'send_email')).toEqual([])
  expect(sending(alone.nodes, 'send_line').map(({ id }) => id)).toEqual(mails.map(({ id }) => `${id}_line`))
  const branches = both.nodes.filter(({ kind }) => kind === 'branch')
  expect(branches.map(({ next }) => next)).toEqual(mails.map(({ id }) => ({ yes: `${id}_line`, no: id })))
  const goesOn = (kind: 'send_email' | 'send_line') => sending(both.nodes, kind).map(({ next }) => next)
  expect(goesOn('send_line')).toEqual(goesOn('send_email'))
  for (const flow of [alone, both]) expect(checkFlowShape(flow)).toEqual([])
  const places = both.nodes.map(({ position: { x, y } }) => `${x} ${y}`)
  expect(new Set(places).size).toBe(places.length)
})
