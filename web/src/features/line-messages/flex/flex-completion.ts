import { type CompletionContext, type CompletionResult, startCompletion } from '@codemirror/autocomplete'
import type { EditorView } from '@uiw/react-codemirror'
import { flexChoices } from './flex-choices.ts'

/** For the code editor: what may stand at the cursor, while one types or asks for it (Ctrl+Space). */
export function completeFlex({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const found = flexChoices(state.doc.toString(), pos)
  if (!found || (!explicit && found.from === pos)) return null
  const { from, to, typedFrom, choices } = found
  return {
    from: typedFrom,
    options: choices.map(({ label, hint, isNeeded, insert }) => ({
      label,
      detail: hint,
      boost: isNeeded ? 1 : 0,
      apply: (view: EditorView) => {
        // Into the first thing to fill in, and on with what may stand there.
        const inside = /""|\[\]/.exec(insert)
        const anchor = from + (inside ? inside.index + 1 : insert.length)
        view.dispatch({ changes: { from, to, insert }, selection: { anchor }, userEvent: 'input.complete' })
        startCompletion(view)
      },
    })),
  }
}
