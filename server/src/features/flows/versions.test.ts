import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addScenario, endNode, flowOf, waitNode } from '../../../test/scenarios.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { readFlows } from './versions.ts'

withOkaeri()

test('a version that came with a database put back is not taken for the one of the same number that was known before', async () => {
  const merchant = await okaeri.merchant()
  const scope = merchant.scope()
  const scenarioId = await addScenario(scope, flowOf([waitNode('later', 'e', 3), endNode('e')]))
  const read = async () => (await readFlows(scope, [{ scenarioId, version: 1 }]))(scenarioId, 1)?.start
  expect(await read()).toBe('later')
  expect(await read()).toBe('later')
  await sql`update scenario_versions set flow = ${JSON.stringify(flowOf([endNode('other')]))}::jsonb,
      created_at = created_at + interval '1 hour'
    where merchant_id = ${merchant.id} and scenario_id = ${scenarioId}`.execute(scope.db)
  expect(await read()).toBe('other')
  await sql`delete from scenario_versions where merchant_id = ${merchant.id} and scenario_id = ${scenarioId}`.execute(
    scope.db,
  )
  expect(await read()).toBeUndefined()
})
