// The layout of a flow, for templates and for the page that draws it, in pixels of the drawing.

/** A card without figures. */
export const NODE_WIDTH = 256
export const NODE_HEIGHT = 92
/** The figures below a card: three lines for a step that sends mails. */
export const FIGURES_HEIGHT = 62
/** Below a card: the port's name, the button on the line, the tip of the arrow. */
const WAY_HEIGHT = 56
/** From the top of one card to the top of the next. Leaves room for figures. */
export const STEP_Y = NODE_HEIGHT + FIGURES_HEIGHT + WAY_HEIGHT
