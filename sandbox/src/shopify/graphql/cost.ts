import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLSchema,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { type StoreScope } from '../platform.ts'
import { execute } from '../../sql.ts'

// Rules: graphql_limits, standard plan. A bucket holds 20 seconds' worth.
export const restoreRate = 100
export const maximumAvailable = 2000
export const queryMaximum = 1000
const mutationCost = 10

/**
 * Points asked for: an object 1, a scalar 0, a mutation 10. A connection costs 2 and a quarter of its page's objects;
 * the platform's own curve is not published, this keeps its order of magnitude.
 */
export function requestedCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  asked: { operation: OperationDefinitionNode; variables: Record<string, unknown> },
): number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition)

  const costOf = (selection: SelectionSetNode, typeName: string): number => {
    let points = 0
    for (const node of selection.selections) {
      if (node.kind === 'Field') points += fieldCost(node, typeName)
      else if (node.kind === 'InlineFragment')
        points += costOf(node.selectionSet, node.typeCondition?.name.value ?? typeName)
      else {
        const fragment = fragments.get(node.name.value)
        if (fragment) points += costOf(fragment.selectionSet, fragment.typeCondition.name.value)
      }
    }
    return points
  }
  const fieldCost = (node: FieldNode, typeName: string): number => {
    const parent = schema.getType(typeName)
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined
    const type = field ? getNamedType(field.type) : undefined
    if (!type || !isCompositeType(type) || !node.selectionSet) return 0
    if (type.name === 'PageInfo') return 0
    const inner = costOf(node.selectionSet, type.name)
    if (type.name.endsWith('Connection')) return 2 + Math.ceil((pageSize(node) * Math.max(1, inner)) / 4)
    return type.name.endsWith('Edge') || node.name.value === 'nodes' ? Math.max(1, inner) : 1 + inner
  }
  const pageSize = (node: FieldNode): number => {
    const given = node.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')?.value
    if (given?.kind === 'IntValue') return Number(given.value)
    const value = given?.kind === 'Variable' ? asked.variables[given.name.value] : undefined
    return typeof value === 'number' ? value : 10
  }
  const root = asked.operation.operation === 'mutation' ? 'Mutation' : 'QueryRoot'
  const base = asked.operation.operation === 'mutation' ? mutationCost : 0
  return base + costOf(asked.operation.selectionSet, root)
}

/** Points really used: the same count over what came back. */
export function actualCost(data: unknown, requested: number): number {
  const countObjects = (value: unknown): number => {
    if (Array.isArray(value)) return Math.ceil(value.reduce((sum: number, item) => sum + countObjects(item), 0) / 4)
    if (value === null || typeof value !== 'object') return 0
    return Object.values(value).reduce((sum: number, item) => sum + countObjects(item), 1)
  }
  return Math.min(requested, countObjects(data))
}

export interface Bucket {
  available: number
  take: (points: number) => void
}

/** The store's bucket, filled up to now. It leaks by the machine's clock. */
export function openBucket(scope: StoreScope): Bucket {
  const now = Date.now()
  const { points, points_at: at } = scope.store
  // A time ahead was written while the clock was wrong.
  const restored = at !== null && at > now ? maximumAvailable : ((now - (at ?? now)) / 1000) * restoreRate
  let available = Math.min(maximumAvailable, (points ?? maximumAvailable) + restored)
  return {
    get available() {
      return Math.floor(available)
    },
    take(used) {
      available = Math.max(0, available - used)
      execute(scope.database)`UPDATE store SET points = ${available}, points_at = ${now} WHERE id = ${scope.store.id}`
    },
  }
}
