/**
 * Says at once why the page's script does not run, where that can be known; without this file, the style sheet
 * shows the same note after some seconds. It is a classic script, so that it runs from a file and in old browsers.
 */
(function watch() {
  var isFile = location.protocol === "file:";

  function show() {
    var note = document.getElementById("not-started");
    if (note === null) {
      return;
    }
    var shown = isFile ? "not-started-file" : "not-started-script";
    for (var at = 0; at < note.children.length; at += 1) {
      /** @type {HTMLElement} */ (note.children[at]).hidden = note.children[at].id !== shown;
    }
    note.className = "shown";
  }

  // A script that cannot be loaded, or not be read, ends as an error on its way to the window.
  addEventListener("error", show, true);
  addEventListener("DOMContentLoaded", function check() {
    if (isFile || !("noModule" in HTMLScriptElement.prototype)) {
      show();
    }
  });
})();
