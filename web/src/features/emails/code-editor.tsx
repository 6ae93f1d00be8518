import { html } from '@codemirror/lang-html'
import { useComputedColorScheme } from '@mantine/core'
import ReactCodeMirror, { EditorView } from '@uiw/react-codemirror'
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

/** HTML with colours. Tab leaves the field, so that nobody is caught in it. */
export function CodeEditor({ label, value, onChange, handle, readOnly }: CodeEditorProps) {
  const scheme = useComputedColorScheme()
  const extensions = useMemo(
    () => [html(), EditorView.lineWrapping, EditorView.contentAttributes.of({ 'aria-label': label })],
    [label],
  )
  return (
    <ReactCodeMirror
      value={value}
      onChange={onChange}
      extensions={extensions}
      theme={scheme}
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
