import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { LineFriend, LineUserId } from './friend.ts'

const area = 'line'
const OneFriend = z.object({ lineUserId: LineUserId })
const Testers = z.object({ testers: z.array(LineFriend) })

export const findLineFriends = endpoint('GET', '/line/friends', {
  area,
  summary: 'The first 20 friends of the official account whose name, there or as a customer, holds a text',
  access: 'member',
  query: z.object({ q: z.string().max(200, 'too_long').default('') }),
  reply: z.object({ friends: z.array(LineFriend) }),
})

export const listLineTesters = endpoint('GET', '/line/testers', {
  area,
  summary: 'The friends who get test sends, and the messages of test mode',
  access: 'member',
  reply: Testers,
})

export const addLineTester = endpoint('PUT', '/line/testers/{lineUserId}', {
  area,
  summary: 'Let a friend get test sends; at most 10 do',
  access: 'marketer',
  params: OneFriend,
  reply: Testers,
})

export const removeLineTester = endpoint('DELETE', '/line/testers/{lineUserId}', {
  area,
  summary: 'Send no more tests to this person',
  access: 'marketer',
  params: OneFriend,
  reply: Testers,
})
