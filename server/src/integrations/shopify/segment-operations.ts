import type { UserError } from './operations.ts'

/** The platform's own segments and who is in them. Texts are checked against its schema by a test. */

export const SEGMENTS = `query Segments($after: String) {
  segments(first: 250, after: $after) {
    nodes { id name query }
    pageInfo { hasNextPage endCursor }
  }
}`
export interface SegmentsResult {
  segments: {
    nodes: { id: string; name: string; query: string }[]
    pageInfo: { hasNextPage: boolean; endCursor: string | null }
  }
}

/** The platform finds the members in its own time; then they are read page by page as they were at that moment. */
export const SEGMENT_MEMBERS_FIND = `mutation SegmentMembersFind($segmentId: ID!) {
  customerSegmentMembersQueryCreate(input: { segmentId: $segmentId }) {
    customerSegmentMembersQuery { id currentCount done }
    userErrors { field message }
  }
}`
export interface MembersQuery {
  id: string
  currentCount: number
  done: boolean
}
export interface SegmentMembersFindResult {
  customerSegmentMembersQueryCreate: { customerSegmentMembersQuery: MembersQuery | null; userErrors: UserError[] }
}

/** The platform's global id of a segment by its number. */
export const segmentGlobalId = (id: number): string => `gid://shopify/Segment/${id}`

export const SEGMENT_MEMBERS_FOUND = `query SegmentMembersFound($id: ID!) {
  customerSegmentMembersQuery(id: $id) { id currentCount done }
}`
export interface SegmentMembersFoundResult {
  /** Null: the platform has forgotten the question. */
  customerSegmentMembersQuery: MembersQuery | null
}

/** The largest page the platform gives. */
export const SEGMENT_MEMBERS = `query SegmentMembers($queryId: ID!, $after: String) {
  customerSegmentMembers(queryId: $queryId, first: 1000, after: $after) {
    totalCount
    edges { node { id } }
    pageInfo { hasNextPage endCursor }
  }
}`
export interface SegmentMembersResult {
  customerSegmentMembers: {
    totalCount: number
    /** The number in a member's id is the customer's. */
    edges: { node: { id: string } }[]
    pageInfo: { hasNextPage: boolean; endCursor: string | null }
  }
}
