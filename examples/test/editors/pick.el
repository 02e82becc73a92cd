;;; pick.el --- The person at an Emacs without a screen -*- lexical-binding: t; -*-

;; Prints what is shown, and decides by a list, as a package of completion would be told by keys.

;;; Code:

(require 'askwire)

(defvar decisions (append (json-parse-string (getenv "EDITOR_DECISIONS")) nil))

(defun pick--shown (prompt choices)
  "Print the windows, PROMPT and CHOICES."
  (dolist (window (window-list))
    (with-current-buffer (window-buffer window)
      (unless (zerop (buffer-size)) (princ (concat (buffer-string) "\n")))))
  (princ (concat prompt "\n"))
  (dolist (label (all-completions "" choices))
    (princ (concat "-" " " label (when completion-extra-properties
                               (funcall (plist-get completion-extra-properties :annotation-function) label))
                   "\n"))))

(setq completing-read-function
      (lambda (prompt choices &rest _)
        (pick--shown prompt choices)
        (pcase (pop decisions)
          ("Fail" (error "The completion failed"))
          ;; All that the agent asks meanwhile comes first.  Then the person looks again.
          ("Later" (while (cdr decisions) (accept-process-output nil 0.05))
                   (princ "Again:\n")
                   (pick--shown prompt choices)
                   (pop decisions))
          (decision decision))))

(defun pick--several (prompt choices &rest _)
  "Print PROMPT and CHOICES, and return the decisions up to Done."
  (pick--shown prompt choices)
  (let (chosen)
    (while (not (equal (car decisions) "Done")) (push (pop decisions) chosen))
    (pop decisions)
    (nreverse chosen)))
(advice-add 'completing-read-multiple :override #'pick--several)
(advice-add 'read-string :override (lambda (&rest _) (pop decisions)))
(advice-add 'message :before (lambda (format &rest words) (when format (princ (concat (apply #'format format words) "\n")))))

(let (has-ended)
  (add-hook 'askwire-ended-hook (lambda () (setq has-ended t)))
  (setq askwire-command (append (json-parse-string (getenv "EDITOR_AGENT")) nil))
  (askwire "Set up the shop")
  (while (not has-ended) (accept-process-output nil 1)))
