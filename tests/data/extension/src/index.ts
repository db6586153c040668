// A renderer of application/vnd.nbscope.busy+json, {"ms": N} or {"module": TEXT, "ms": N}, which
// keeps the page busy: in this extension, or in a module as anywidget imports it.
import { Widget } from '@lumino/widgets';
import { arrangePoints } from './layout';

const MIME = 'application/vnd.nbscope.busy+json';

class BusyView extends Widget {
  async renderModel(model: { data: { [mime: string]: any } }): Promise<void> {
    const { module, ms } = model.data[MIME];
    if (module) {
      const url = URL.createObjectURL(new Blob([module], { type: 'text/javascript' }));
      const { render } = await import(/* webpackIgnore: true */ url);
      URL.revokeObjectURL(url);
      render({ el: this.node, ms });
    } else {
      this.node.textContent = String(arrangePoints(ms));
    }
  }
}

export default {
  id: 'nbscope-busy:plugin',
  rendererFactory: {
    safe: true,
    mimeTypes: [MIME],
    createRenderer: () => new BusyView()
  },
  dataType: 'json'
};
