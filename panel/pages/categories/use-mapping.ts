import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefreshAccount } from '../../api/read.ts'
import { showMessage } from '../../components/messages.tsx'
import { useResourceWords } from '../../resources/words.ts'

type Steps = (progress: (done: number, of: number) => void) => Promise<void>

export interface Mapping {
  /** Progress; null: nothing is being mapped. */
  work: { done: number; of: number } | null
  run: (paths: number, steps: Steps) => void
  error: unknown
}

/**
 * The mapping of suppliers' paths.
 * @param done called when all paths are mapped
 */
export function useMapping(done: () => void): Mapping {
  const words = useResourceWords('categories')
  const refresh = useRefreshAccount()
  const [work, setWork] = useState<Mapping['work']>(null)
  const run = useMutation({
    mutationFn: async ({ paths, steps }: { paths: number; steps: Steps }) => {
      setWork({ done: 0, of: paths })
      await steps((mapped, of) => setWork({ done: mapped, of }))
      done()
      showMessage(words.of('mapped', { count: paths }))
    },
    // also after a failure, because a part may have been written
    async onSettled() {
      setWork(null)
      await refresh()
    },
  })
  return { work, run: (paths, steps) => run.mutate({ paths, steps }), error: run.error }
}
