/** What a thing looks like from the side, from simple figures, in a square of 480 that stands on the line 372. */

export type ShapeTest = (x: number, y: number) => boolean
/** `body`: the product's color; `dark` and `light`: beside it; `paper` and `wood`: what is never dyed. */
export type Tone = 'body' | 'dark' | 'light' | 'paper' | 'wood'
export type Layer = [tone: Tone, inside: ShapeTest]

const ellipse =
  (cx: number, cy: number, rx: number, ry: number): ShapeTest =>
  (x, y) =>
    ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1
const box =
  (left: number, top: number, width: number, height: number, corner = 0): ShapeTest =>
  (x, y) => {
    const dx = Math.max(left + corner - x, x - (left + width - corner), 0)
    const dy = Math.max(top + corner - y, y - (top + height - corner), 0)
    return corner === 0 ? dx === 0 && dy === 0 : dx * dx + dy * dy <= corner * corner
  }
/** Between two lines: the half widths at its top and its foot, around a middle. */
const taper =
  (cx: number, top: number, foot: number, atTop: number, atFoot: number): ShapeTest =>
  (x, y) =>
    y >= top && y <= foot && Math.abs(x - cx) <= atTop + ((atFoot - atTop) * (y - top)) / (foot - top)
const ring = (cx: number, cy: number, rx: number, ry: number, width: number): ShapeTest => {
  const [outer, inner] = [ellipse(cx, cy, rx, ry), ellipse(cx, cy, rx - width, ry - width)]
  return (x, y) => outer(x, y) && !inner(x, y)
}
/** A line with round ends. */
const stroke =
  (fromX: number, fromY: number, toX: number, toY: number, width: number): ShapeTest =>
  (x, y) => {
    const [dx, dy] = [toX - fromX, toY - fromY]
    const along = Math.max(0, Math.min(1, ((x - fromX) * dx + (y - fromY) * dy) / (dx * dx + dy * dy)))
    return (x - fromX - along * dx) ** 2 + (y - fromY - along * dy) ** 2 <= (width / 2) ** 2
  }
const both =
  (one: ShapeTest, other: ShapeTest): ShapeTest =>
  (x, y) =>
    one(x, y) && other(x, y)
const above =
  (line: number): ShapeTest =>
  (_, y) =>
    y <= line
const below =
  (line: number): ShapeTest =>
  (_, y) =>
    y >= line
const stripes =
  (every: number, width: number): ShapeTest =>
  (_, y) =>
    y % every < width

const label = (top: number, height: number, half: number): Layer[] => [
  ['paper', box(240 - half, top, half * 2, height, 6)],
  ['dark', box(240 - half + 18, top + height * 0.34, half * 2 - 36, 6)],
  ['dark', box(240 - half + 34, top + height * 0.6, half * 2 - 68, 6)],
]
const pouch: Layer[] = [
  ['body', taper(240, 120, 372, 92, 104)],
  ['dark', box(148, 120, 184, 26)],
  ...label(196, 110, 66),
]
const jar: Layer[] = [
  ['body', box(150, 168, 180, 204, 30)],
  ['light', box(166, 190, 18, 150, 9)],
  ['wood', box(158, 130, 164, 44, 8)],
  ...label(222, 100, 62),
]
const folded: Layer[] = [
  ['body', box(110, 296, 260, 74, 34)],
  ['light', box(118, 228, 244, 72, 34)],
  ['body', box(126, 160, 228, 72, 34)],
  ['dark', both(box(126, 160, 228, 72, 34), box(196, 160, 16, 72))],
]
const bowl: Layer[] = [
  ['dark', box(198, 344, 84, 28, 6)],
  ['body', both(ellipse(240, 216, 138, 146), below(216))],
  ['light', both(ellipse(240, 216, 138, 146), box(102, 240, 276, 12))],
]
const pot: Layer[] = [
  ['wood', ring(240, 190, 92, 74, 14)],
  ['body', both(ellipse(240, 286, 112, 104), above(372))],
  ['body', stroke(330, 290, 384, 226, 28)],
  ['dark', both(ellipse(240, 196, 72, 22), above(200))],
  ['dark', ellipse(240, 172, 14, 14)],
  ['light', ellipse(196, 262, 14, 42)],
]

/** By a word of the product's name; the first that has one. */
export const shapes: readonly (readonly [words: readonly string[], layers: Layer[]])[] = [
  [
    ['エプロン'],
    [
      ['dark', ring(240, 118, 62, 66, 10)],
      ['body', taper(240, 138, 226, 66, 78)],
      ['body', taper(240, 214, 392, 122, 148)],
      ['dark', stroke(96, 232, 384, 232, 10)],
      ['light', box(188, 268, 104, 74, 8)],
    ],
  ],
  [
    ['カトラリー'],
    [
      ['wood', stroke(176, 200, 176, 372, 18)],
      ['wood', ellipse(176, 150, 38, 58)],
      ['body', stroke(304, 214, 304, 372, 18)],
      ['body', both(box(266, 96, 76, 120, 34), (x) => (x - 266) % 26 < 16)],
      ['body', box(270, 176, 68, 44, 22)],
    ],
  ],
  [['ケトル', 'ポット', '急須'], pot],
  [
    ['土鍋'],
    [
      ['dark', box(74, 238, 332, 30, 15)],
      ['body', both(ellipse(240, 240, 150, 132), below(252))],
      ['light', both(ellipse(240, 244, 142, 92), above(240))],
      ['dark', box(210, 132, 60, 26, 10)],
    ],
  ],
  [['飯碗'], bowl],
  [
    ['湯のみ', '湯呑'],
    [
      ['body', taper(240, 148, 372, 92, 76)],
      ['dark', ellipse(240, 148, 92, 20)],
      ['light', both(taper(240, 148, 372, 92, 76), box(140, 208, 200, 16))],
      ['light', both(taper(240, 148, 372, 92, 76), box(140, 238, 200, 6))],
    ],
  ],
  [
    ['豆皿'],
    [
      ['dark', ellipse(240, 330, 160, 42)],
      ['body', ellipse(240, 318, 160, 42)],
      ['light', ellipse(240, 316, 104, 26)],
      ['dark', ellipse(240, 238, 124, 32)],
      ['body', ellipse(240, 228, 124, 32)],
      ['light', ellipse(240, 226, 78, 18)],
    ],
  ],
  [['煎茶', 'ほうじ茶', 'コーヒー', 'グラノーラ', '入浴剤'], pouch],
  [['はちみつ', 'ジャム', 'インク'], jar],
  [
    ['シャツ'],
    [
      ['body', taper(240, 128, 380, 88, 92)],
      ['body', stroke(168, 154, 104, 262, 62)],
      ['body', stroke(312, 154, 376, 262, 62)],
      ['dark', both(ellipse(240, 126, 46, 36), below(126))],
      ['light', box(236, 162, 8, 212)],
    ],
  ],
  [['タオル', 'ガーゼ', 'ケット'], folded],
  [
    ['クリーム'],
    [
      ['body', taper(240, 104, 318, 92, 58)],
      ['dark', box(146, 92, 188, 20, 4)],
      ['wood', box(190, 318, 100, 54, 8)],
      ...label(158, 92, 44),
    ],
  ],
  [
    ['石鹸'],
    [
      ['wood', box(98, 338, 284, 34, 10)],
      ['body', box(126, 238, 228, 102, 40)],
      ['light', box(154, 258, 172, 62, 28)],
    ],
  ],
  [
    ['キャンドル'],
    [
      ['body', box(150, 196, 180, 176, 22)],
      ['light', box(150, 196, 180, 40, 18)],
      ['wood', ellipse(240, 150, 18, 36)],
      ['dark', box(237, 176, 6, 26)],
      ...label(262, 76, 54),
    ],
  ],
  [
    ['お香'],
    [
      ['wood', box(118, 330, 244, 42, 12)],
      ['body', stroke(200, 332, 168, 110, 8)],
      ['dark', stroke(240, 332, 240, 96, 8)],
      ['body', stroke(280, 332, 312, 110, 8)],
    ],
  ],
  [
    ['手ぬぐい'],
    [
      ['wood', stroke(116, 104, 364, 104, 16)],
      ['body', box(144, 104, 192, 286)],
      ['light', both(box(144, 104, 192, 286), stripes(58, 20))],
    ],
  ],
  [
    ['風呂敷'],
    [
      ['body', both(ellipse(240, 290, 132, 104), above(372))],
      ['dark', taper(196, 116, 206, 52, 12)],
      ['dark', taper(284, 116, 206, 52, 12)],
      ['light', ellipse(240, 202, 30, 22)],
    ],
  ],
  [
    ['マフラー'],
    [
      ['body', ring(240, 194, 112, 84, 54)],
      ['dark', box(206, 232, 84, 124)],
      ['light', both(box(206, 232, 84, 124), stripes(40, 14))],
      ['dark', both(box(206, 356, 84, 30), (x) => x % 14 < 7)],
    ],
  ],
  [
    ['帽子'],
    [
      ['wood', ellipse(240, 318, 174, 44)],
      ['wood', both(ellipse(240, 300, 98, 142), above(312))],
      ['body', both(ellipse(240, 300, 98, 142), box(130, 262, 220, 38))],
    ],
  ],
  [
    ['便箋'],
    [
      ['paper', box(118, 118, 216, 236, 4)],
      ['dark', both(box(142, 148, 168, 150), stripes(24, 3))],
      ['body', box(148, 236, 220, 136, 6)],
      ['light', (x, y) => y >= 236 && y <= 316 - Math.abs(x - 258) * 0.72 && x >= 148 && x <= 368],
    ],
  ],
  [
    ['おもちゃ'],
    [
      ['body', box(104, 250, 272, 82, 24)],
      ['wood', box(166, 178, 140, 86, 22)],
      ['light', box(184, 198, 44, 42, 8)],
      ['light', box(244, 198, 44, 42, 8)],
      ['dark', ellipse(168, 338, 36, 36)],
      ['dark', ellipse(312, 338, 36, 36)],
    ],
  ],
  [
    ['スタイ'],
    [
      ['body', both(ellipse(240, 254, 136, 130), (x, y) => !ellipse(240, 154, 66, 76)(x, y))],
      ['light', both(ring(240, 254, 136, 130, 16), (x, y) => !ellipse(240, 154, 66, 76)(x, y))],
    ],
  ],
  [
    ['ギフト', 'ボックス'],
    [
      ['body', box(124, 214, 232, 158, 4)],
      ['dark', box(112, 180, 256, 46, 4)],
      ['light', box(222, 180, 36, 192)],
      ['light', ring(204, 154, 40, 30, 12)],
      ['light', ring(276, 154, 40, 30, 12)],
    ],
  ],
]

/** For what has no word above. */
export const plainShape: Layer[] = [['body', box(132, 168, 216, 204, 10)], ...label(226, 88, 70)]

/** A person. */
export const personShape: Layer[] = [
  ['body', both(ellipse(240, 420, 150, 160), (_, y) => y < 480)],
  ['light', ellipse(240, 190, 82, 96)],
  ['dark', both(ellipse(240, 172, 92, 92), above(156))],
]
