import { html } from '@codemirror/lang-html'
import { useComputedColorScheme } from '@mantine/core'
import ReactCodeMirror, { EditorView, Prec } from '@uiw/react-codemirror'
import { type RefObject, useMemo } from 'react'

/** What a page can do to the text besides changing its value. */
export interface CodeEditorHandle {
  /** In place of the selection, or at the cursor. */
  insert: (text: string) => void
}

interface CodeEditorProps {
  label: string
  value: string
  onChange: (value: string) => void
  handle: RefObject<CodeEditorHandle | null>
  readOnly: boolean
}

/** The dark theme's own ground is too light for its colours (WCAG AA). */
const darkGround = Prec.highest(
  EditorView.theme({ '&, .cm-gutters': { backgroundColor: '#14171a' }, '.cm-gutters': { color: '#949ea1' } }),
)
/** Under the line's tint the colours of tags would miss the contrast of WCAG AA. */
const SETUP = { highlightActiveLine: false, highlightActiveLineGutter: false }

/** HTML with colours. Tab leaves the field, so that nobody is caught in it. */
export function CodeEditor({ label, value, onChange, handle, readOnly }: CodeEditorProps) {
  const scheme = useComputedColorScheme()
  const extensions = useMemo(
    () => [
      html(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      ...(scheme === 'dark' ? [darkGround] : []),
    ],
    [label, scheme],
  )
  return (
    <ReactCodeMirror
      value={value}
      onChange={onChange}
      extensions={extensions}
      theme={scheme}
      basicSetup={SETUP}
      height="100%"
      style={{ height: '100%', fontSize: 13 }}
      indentWithTab={false}
      readOnly={readOnly}
      onCreateEditor={(view) => {
        handle.current = {
          insert: (text) => {
            view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true })
            view.focus()
          },
        }
      }}
    />
  )
}
