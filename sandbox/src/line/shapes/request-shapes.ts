import { action } from './action-shapes.ts'
import { messages, silent, unit } from './message-shapes.ts'
import { anyOf, bool, byType, integer, list, object, optional, type Rule, type Shape, text } from './shapes.ts'

/** Bodies of the calls that send, and of those that keep rich menus. */

const richMenuName = text({ min: 1 })
const int = 2_147_483_647
const bounds = object({ x: integer(0, int), y: integer(0, int), width: integer(1, int), height: integer(1, int) })

/** A menu is at least 1.45 times as wide as high. */
const isWide: Rule = (value, property, report) => {
  const { width, height } = value['size'] as { width: number; height: number }
  if (width / height < 1.45)
    report('the ratio of width to height must be 1.45 or more', property === '' ? 'size' : property)
}

const userIds = list(text(), 1, 500)
export const requests = {
  push: object({ to: text({ min: 1 }), messages, ...silent, customAggregationUnits: unit }),
  multicast: object({ to: userIds, messages, ...silent, customAggregationUnits: unit }),
  reply: object({ replyToken: text({ min: 1 }), messages, ...silent }),
  validate: object({ messages }),
  webhookEndpoint: object({ endpoint: anyOf(/^https?:\/\//, 500) }),
  webhookTest: object({ endpoint: optional(anyOf(/^https?:\/\//, 500)) }),
  richMenu: object(
    {
      size: object({ width: integer(800, 2500), height: integer(250, int) }),
      selected: bool,
      name: text({ min: 1, max: 300, count: 'graphemes' }),
      chatBarText: text({ min: 1, max: 14, count: 'graphemes' }),
      areas: list(object({ bounds, action: action('richMenu') }), 0, 20),
    },
    isWide,
  ),
  alias: object({
    richMenuAliasId: text({ min: 1, max: 32, like: /^[a-z0-9_-]{1,32}$/ }),
    richMenuId: richMenuName,
  }),
  aliasChange: object({ richMenuId: richMenuName }),
  bulkLink: object({ richMenuId: richMenuName, userIds }),
  bulkUnlink: object({ userIds }),
  batch: object({
    operations: list(
      byType({
        link: object({ type: text(), from: richMenuName, to: richMenuName }),
        unlink: object({ type: text(), from: richMenuName }),
        unlinkAll: object({ type: text() }),
      }),
      1,
      1000,
    ),
    resumeRequestKey: optional(text({ min: 1, max: 100, like: /^[a-zA-Z0-9_-]{1,100}$/ })),
  }),
} satisfies Record<string, Shape>
