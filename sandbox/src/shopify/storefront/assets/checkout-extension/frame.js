// In a frame without an origin: begins the worker, and hands it the way to the page. What the worker asks of other hosts has the origin `null`.
addEventListener('message', ({ data, ports }) => {
  // It listens before it loads anything: what is posted meanwhile would be lost. What goes wrong there nobody would see.
  const starter = `globalThis.begun = new Promise((begun) => { onmessage = begun })
import(${JSON.stringify(data.worker)}).catch((error) => postMessage(String(error?.stack ?? error)))`
  const worker = new Worker(URL.createObjectURL(new Blob([starter], { type: 'text/javascript' })))
  worker.addEventListener('message', ({ data: error }) => console.error(`The app's extension: ${error}`))
  worker.postMessage(data, ports)
})
