import { ApiError } from '@okaeri/contract/client'
import type { Flow } from '@okaeri/contract/scenarios/flow'
import { changeNodes, getNodes } from '@okaeri/contract/scenarios/routes'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../api/call.ts'
import { refresh } from '../../../api/queries.ts'
import { useWords } from '../../../app/i18n.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.ts'
import { askToMove } from '../move-dialog.tsx'
import { type FlowEditing, START_ID } from './editing.ts'

interface Saved {
  scenario: Scenario
  flow: Flow
  version: number
}

const idsOf = (flow: Flow): ReadonlySet<string> => new Set(['', ...flow.nodes.map(({ id }) => id)])

/** Keeping what is edited: over which version, what the server said to it, and what is done when others were quicker. */
export function useFlowSaving(editing: FlowEditing, { scenario, flow: savedFlow, version }: Saved) {
  const t = useWords('flow')
  const { dirty, now, restart, selected } = editing
  const [saving, setSaving] = useState(false)
  /** The saved version all this began from. */
  const [basis, setBasis] = useState(version)
  const [conflict, setConflict] = useState(false)
  /** Steps whose errors are shown red: those that were saved, and new ones once they were left. */
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

  // Saved elsewhere while nothing was changed here: shown as it is now.
  useEffect(() => {
    if (version <= basis || dirty || saving) return
    setBasis(version)
    restart(savedFlow)
  }, [version, basis, dirty, saving, savedFlow, restart])

  const send = async (over: number | null) => {
    const sent = now()
    setSaving(true)
    try {
      const those = await askToMove(scenario.id, { flow: sent })
      if (those === null) return
      const body = { flow: sent, version_seen: over, move: those === 'move' }
      const reply = await call(changeNodes, { params: { id: scenario.id }, body })
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
    const theirs = await call(getNodes, { params: { id: scenario.id } })
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
    /** Shows the errors of every step there is. */
    askAll: (flow: Flow) => setAsked(idsOf(flow)),
    /** What the last save was answered: errors came with it, or kept it from being saved. */
    refused,
    conflict,
    /** In a conflict: over what the others saved, what they saved, or neither for now. */
    saveMine: () => void send(null),
    takeTheirs: () => void takeTheirs(),
    decideLater: () => setConflict(false),
    save,
  }
}
