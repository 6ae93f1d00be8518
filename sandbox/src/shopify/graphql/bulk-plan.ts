import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  GraphQLError,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  Kind,
  parse,
  type SelectionNode,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'

/** A bulk query made ready to be run page by page, one document per connection at its root. */
export interface BulkPlan {
  documents: { document: DocumentNode; key: string }[]
}

// Rules: bulk.run.
const connectionMaximum = 5
const nestingMaximum = 2
export const bulkIdKey = '__bulk_id'

/** The plan, or the platform's reason to refuse. */
export function planBulk(schema: GraphQLSchema, text: string): BulkPlan | string {
  let document: DocumentNode
  try {
    document = parse(text)
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return `Invalid bulk query: ${error.message}`
  }
  const problems = validate(schema, withoutPaging(document))
  if (problems[0]) return `Invalid bulk query: ${problems[0].message}`
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  const [operation] = operations
  if (operations.length !== 1 || operation?.operation !== 'query')
    return 'Invalid bulk query: exactly one query operation is required.'

  const counted = countConnections(schema, document)
  if (counted.connections === 0) return 'Invalid bulk query: Bulk queries must contain at least one connection.'
  if (counted.connections > connectionMaximum)
    return `Invalid bulk query: Bulk queries cannot contain more than ${connectionMaximum} connections.`
  if (counted.depth > nestingMaximum + 1)
    return `Invalid bulk query: Bulk queries cannot contain connections with a nesting depth greater than ${nestingMaximum}.`

  const roots: FieldNode[] = []
  for (const selection of operation.selectionSet.selections) {
    if (selection.kind !== Kind.FIELD || selection.name.value === 'node' || selection.name.value === 'nodes')
      return 'Invalid bulk query: Bulk queries cannot contain a top level node field.'
    const field = schema.getQueryType()?.getFields()[selection.name.value]
    if (!field || !getNamedType(field.type).name.endsWith('Connection'))
      return 'Invalid bulk query: the sandbox runs connections at the top level only.'
    roots.push(selection)
  }
  const prepared = marked(schema, withoutPaging(document))
  const documents = roots.map((root) => ({
    key: root.alias?.value ?? root.name.value,
    document: paged(prepared, root.alias?.value ?? root.name.value),
  }))
  return { documents }
}

function countConnections(schema: GraphQLSchema, document: DocumentNode) {
  const info = new TypeInfo(schema)
  let connections = 0
  let open = 0
  let depth = 0
  const isConnection = () => getNamedType(info.getType())?.name.endsWith('Connection') === true
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: {
        enter() {
          if (!isConnection()) return
          connections += 1
          open += 1
          depth = Math.max(depth, open)
        },
        leave() {
          if (isConnection()) open -= 1
        },
      },
    }),
  )
  return { connections, depth }
}

/** A bulk run takes everything: page arguments on any connection are ignored, as on the platform. */
function withoutPaging(document: DocumentNode): DocumentNode {
  return visit(document, {
    Argument(node) {
      return ['first', 'last', 'after', 'before'].includes(node.name.value) ? null : undefined
    },
  })
}

/** Asks every node for its id under a key of ours, so that children can name their parent. */
function marked(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const info = new TypeInfo(schema)
  const idField: FieldNode = {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: bulkIdKey },
    name: { kind: Kind.NAME, value: 'id' },
  }
  return visit(
    document,
    visitWithTypeInfo(info, {
      SelectionSet(node) {
        const type = info.getParentType()
        if (!type || !(isObjectType(type) || isAbstractType(type)) || !('getInterfaces' in type)) return undefined
        const isNode = type.name === 'Node' || type.getInterfaces().some(({ name }) => name === 'Node')
        return isNode ? { ...node, selections: [...node.selections, idField] } : undefined
      },
    }),
  )
}

/** Only this root connection, a page at a time. */
function paged(document: DocumentNode, key: string): DocumentNode {
  const keep = (selection: SelectionNode) =>
    selection.kind === Kind.FIELD && (selection.alias?.value ?? selection.name.value) === key
  const variable = (name: string) => ({
    kind: Kind.VARIABLE as const,
    name: { kind: Kind.NAME as const, value: name },
  })
  const argument = (name: string) => ({
    kind: Kind.ARGUMENT as const,
    name: { kind: Kind.NAME as const, value: name },
    value: variable(`bulk_${name}`),
  })
  const declared = (name: string, type: string) => ({
    kind: Kind.VARIABLE_DEFINITION as const,
    variable: variable(`bulk_${name}`),
    type: { kind: Kind.NAMED_TYPE as const, name: { kind: Kind.NAME as const, value: type } },
  })
  const [pageInfo] = parse('{ __bulk_page: pageInfo { hasNextPage endCursor } }').definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [],
  )
  if (!pageInfo) throw new Error('no page info')
  return {
    ...document,
    definitions: document.definitions.map((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION) return definition
      const selections = definition.selectionSet.selections.filter(keep).map((selection) => {
        if (selection.kind !== Kind.FIELD || !selection.selectionSet) return selection
        return {
          ...selection,
          arguments: [...(selection.arguments ?? []), argument('first'), argument('after')],
          selectionSet: { ...selection.selectionSet, selections: [...selection.selectionSet.selections, pageInfo] },
        }
      })
      return {
        ...definition,
        variableDefinitions: [declared('first', 'Int'), declared('after', 'String')],
        selectionSet: { ...definition.selectionSet, selections },
      }
    }),
  }
}

/** One root object as lines: itself without its connections, and what hung in them, each naming its parent. */
export function linesOf(node: Record<string, unknown>, parentId: string | null): { own: string; children: string[] } {
  const children: string[] = []
  const strip = (value: unknown, owner: string | null): unknown => {
    if (Array.isArray(value)) return value.map((item) => strip(item, owner))
    if (value === null || typeof value !== 'object') return value
    const { [bulkIdKey]: id, ...rest } = value as Record<string, unknown>
    const self = typeof id === 'string' ? id : owner
    const kept: Record<string, unknown> = {}
    for (const [key, inner] of Object.entries(rest)) {
      const nodes = nodesIn(inner)
      if (!nodes) {
        kept[key] = strip(inner, self)
        continue
      }
      for (const child of nodes) {
        const lines = linesOf(child, self)
        children.push(lines.own, ...lines.children)
      }
    }
    return kept
  }
  const own = strip(node, null) as Record<string, unknown>
  if (parentId !== null) own.__parentId = parentId
  return { own: JSON.stringify(own), children }
}

/** The nodes of a connection value, by `edges` or by `nodes`; null for anything else. */
export function nodesIn(value: unknown): Record<string, unknown>[] | null {
  if (value === null || typeof value !== 'object') return null
  if ('edges' in value && Array.isArray(value.edges))
    return value.edges.map((edge: { node?: Record<string, unknown> }) => edge.node ?? {})
  if ('nodes' in value && Array.isArray(value.nodes)) return value.nodes as Record<string, unknown>[]
  return null
}
