import { ApiError } from '@okaeri/contract/client'
import {
  deleteExecution,
  type Execution,
  pauseExecution,
  playExecution,
  resolveExecution,
  restartExecution,
} from '@okaeri/contract/scenarios/execution'
import { executionAllows, type ExecutionVerb } from '@okaeri/contract/scenarios/execution-status'
import { IconChecks, IconPlayerPause, IconPlayerPlay, IconRestore, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { refresh } from '../../../api/queries.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import type { Action } from '../../../ui/actions.tsx'
import { asked, confirmDelete } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.ts'
import { useAction } from '../../../ui/use-action.ts'

const icon = { size: 17, 'aria-hidden': true } as const
export type ExecutionAction = Exclude<ExecutionVerb, 'update'>

/** The actions of an execution. A disabled one says why. */
export function useExecutionActions(options: { onDeleted?: () => void } = {}) {
  const t = useWords('scenarios')
  const { mayChange } = useMerchant()
  const pause = useAction(pauseExecution, { done: { message: t('execution.done.pause') } })
  const play = useAction(playExecution, { done: { message: t('execution.done.play') } })
  const resolve = useAction(resolveExecution, { done: { message: t('execution.done.resolve') } })
  const remove = useAction(deleteExecution, {
    done: 'deleted',
    ...(options.onDeleted && { onDone: options.onDeleted }),
  })
  const restart = useMutation({
    mutationFn: ({ id, round }: Pick<Execution, 'id' | 'round'>) =>
      call(restartExecution, { params: { id }, body: { round } }),
    onSuccess: () => {
      toast.done(t('execution.done.restart'))
      void refresh('scenarios')
    },
    // Spec §8.
    onError: (error) => {
      const isRestarted = error instanceof ApiError && error.reason === 'execution_restarted_meanwhile'
      if (isRestarted) toast.failed(error)
      else toast.error(t('execution.restartFailed'))
      void refresh('scenarios')
    },
  })

  return ({ id, status, round }: Pick<Execution, 'id' | 'status' | 'round'>): Record<ExecutionAction, Action> => {
    const params = { id }
    const may = (verb: ExecutionVerb, reason: string): string | null =>
      mayChange ? (executionAllows(verb, status) ? null : reason) : t('readOnly')
    return {
      pause: {
        label: t('execution.do.pause'),
        icon: <IconPlayerPause {...icon} />,
        busy: pause.isPending,
        disabledReason: may('pause', t('execution.forbidden.pause')),
        onClick: () => pause.mutate({ params }),
      },
      play: {
        label: t('execution.do.play'),
        icon: <IconPlayerPlay {...icon} />,
        busy: play.isPending,
        disabledReason: may('play', t('execution.forbidden.play')),
        onClick: () => play.mutate({ params }),
      },
      restart: {
        label: t('execution.do.restart'),
        icon: <IconRestore {...icon} />,
        busy: restart.isPending,
        disabledReason: may('restart', t('readOnly')),
        onClick: asked(
          {
            title: t('execution.ask.restartTitle'),
            body: t('execution.ask.restartBody'),
            confirmLabel: t('execution.do.restart'),
            danger: true,
          },
          () => restart.mutate({ id, round }),
        ),
      },
      resolve: {
        label: t('execution.do.resolve'),
        icon: <IconChecks {...icon} />,
        busy: resolve.isPending,
        disabledReason: may('resolve', t('execution.forbidden.resolve')),
        onClick: asked(
          {
            title: t('execution.ask.resolveTitle'),
            body: t('execution.ask.resolveBody'),
            confirmLabel: t('execution.do.resolve'),
          },
          () => resolve.mutate({ params }),
        ),
      },
      delete: {
        label: t('execution.do.delete'),
        icon: <IconTrash {...icon} />,
        danger: true,
        disabledReason: may('delete', t('readOnly')),
        onClick: () =>
          void confirmDelete(t('execution.ask.deleteTitle'), { body: t('execution.ask.deleteBody') }).then(
            (sure) => sure && remove.mutate({ params }),
          ),
      },
    }
  }
}
