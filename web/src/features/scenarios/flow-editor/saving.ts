import { ApiError } from '@okaeri/contract/client'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { saveFlow, getFlow } from '@okaeri/contract/scenarios/routes'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../api/call.ts'
import { refresh } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.ts'
import { changedPartsOf } from '../settings/live-change.ts'
import { askToMove } from '../settings/move-dialog.tsx'
import { type FlowEditing, START_ID } from './editing.ts'

interface Saved {
  scenario: Scenario
  flow: Flow
  version: number
}

const idsOf = (flow: Flow): ReadonlySet<string> => new Set(['', ...flow.nodes.map(({ id }) => id)])

/** Saves the edited flow: over which version, the server's answer, and what to do if another member saved first. */
export function useFlowSaving(editing: FlowEditing, { scenario, flow: savedFlow, version }: Saved) {
  const t = useWords('flow')
  const scenarios = useWords('scenarios')
  const format = useFormat()
  const { dirty, now, restart, selected } = editing
  const [saving, setSaving] = useState(false)
  /** The saved version that the edits began from. */
  const [basis, setBasis] = useState(version)
  const [conflict, setConflict] = useState(false)
  /** Steps whose errors are shown: saved ones at once, new ones after they were left. */
  const [asked, setAsked] = useState<ReadonlySet<string>>(() =>
    savedFlow.nodes.length > 0 ? idsOf(savedFlow) : new Set(),
  )
  const left = useRef(selected)
  useEffect(() => {
    const gone = [...left.current].filter((id) => !selected.has(id)).map((id) => (id === START_ID ? '' : id))
    left.current = selected
    if (gone.length > 0)
      setAsked((before) => (gone.every((id) => before.has(id)) ? before : new Set([...before, ...gone])))
  }, [selected])
  const [refused, setRefused] = useState<'saved' | 'kept' | null>(null)

  // Saved elsewhere while nothing was changed here: shows the saved flow.
  useEffect(() => {
    if (version <= basis || dirty || saving) return
    setBasis(version)
    restart(savedFlow)
  }, [version, basis, dirty, saving, savedFlow, restart])

  const send = async (over: number | null) => {
    const sent = now()
    setSaving(true)
    try {
      const parts = scenario.status === 'active' ? changedPartsOf(savedFlow, sent) : []
      const those = await askToMove(
        scenario.id,
        { flow: sent },
        parts.length === 0
          ? null
          : { changed: format.list(parts.map((part) => scenarios(`moving.part.${part}`))), reachesRunning: false },
      )
      if (those === null) return
      const body = { flow: sent, version_seen: over, move: those === 'move' }
      const reply = await call(saveFlow, { params: { id: scenario.id }, body })
      editing.markSaved(sent)
      setBasis(reply.version)
      setConflict(false)
      setAsked(idsOf(sent))
      setRefused(reply.problems.length > 0 ? 'saved' : null)
      toast.saved()
      await refresh('scenarios')
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'scenario_changed_meanwhile') setConflict(true)
      else if (error instanceof ApiError && error.reason === 'scenario_incomplete') {
        setAsked(idsOf(sent))
        setRefused('kept')
      } else toast.failed(error)
    } finally {
      setSaving(false)
    }
  }
  const save = async () => {
    if (saving || (!dirty && scenario.mode === 'flow')) return
    const sure =
      scenario.mode === 'flow' ||
      (await confirm({
        title: t('firstSave.title'),
        body: t('firstSave.body'),
        confirmLabel: t('firstSave.confirm'),
        irreversible: true,
      }))
    if (sure) await send(basis)
  }
  const takeTheirs = async () => {
    const theirs = await call(getFlow, { params: { id: scenario.id } })
    restart(theirs.flow)
    setBasis(theirs.version)
    setConflict(false)
    setRefused(null)
    toast.done(t('conflict.loaded'))
    await refresh('scenarios')
  }

  return {
    saving,
    asked,
    /** Shows the errors of all steps. */
    askAll: (flow: Flow) => setAsked(idsOf(flow)),
    /** The answer to the last save: saved with errors, or not saved because of them. */
    refused,
    conflict,
    /** In a conflict: save over the other version, take it, or decide later. */
    saveMine: () => void send(null),
    takeTheirs: () => void takeTheirs(),
    decideLater: () => setConflict(false),
    save,
  }
}
