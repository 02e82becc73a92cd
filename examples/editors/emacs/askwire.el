;;; askwire.el --- Prompt an agent that may ask -*- lexical-binding: t; -*-

;; Emacs 27 or later is all that it needs. M-x askwire prompts the agent of `askwire-command'.

;;; Code:

(require 'crm)
(require 'jsonrpc)
(require 'seq)
(require 'subr-x)

(defvar askwire-command '("askwire" "serve" "--stdio")
  "The command of the agent, a list of words.")

(defvar askwire-ended-hook nil
  "Functions that are called when an agent has ended.")

;; #region connection
(defclass askwire-connection (jsonrpc-process-connection) ())

;; A handler of jsonrpc.el runs while messages are being read, and nobody may be waited for there. It returns `later',
;; which is not sent, and the answer follows by itself.
(cl-defmethod jsonrpc-connection-send :around
  ((_agent askwire-connection) &rest _message &key result &allow-other-keys)
  (unless (eq result 'later) (cl-call-next-method)))

(defun askwire--asked (agent _method request)
  "Put REQUEST of AGENT to the person, as soon as Emacs has read all messages."
  (let* ((type (plist-get request :type))
         (ask (pcase type
                ("QuestionRequest" #'askwire--questions)
                ("ApprovalRequest" #'askwire--approval)
                (_ (jsonrpc-error :code -32601 :message (format "no %s here" type))))))
    (run-at-time 0 nil #'askwire--answer agent ask (plist-get request :payload))
    'later))

(defun askwire--answer (agent ask payload)
  "Send AGENT what ASK returns for PAYLOAD, or that the person could not be asked."
  (let* ((enable-recursive-minibuffers t)
         (id (plist-get payload :id))
         (reply (condition-case problem
                    `(:result (:request_id ,id ,@(funcall ask payload)))
                  ((error quit) `(:error (:code -32603 :message ,(error-message-string problem)))))))
    (when (jsonrpc-running-p agent)
      (apply #'jsonrpc-connection-send agent :id id reply))))
;; #endregion connection

;; #region person
(defun askwire--ask (question)
  "Return the answer to QUESTION, or nil where the person quits."
  (cl-destructuring-bind (&key question options multi_select &allow-other-keys) question
    (let* ((prompt (concat question " "))
           (crm-separator "[ \t]*;[ \t]*")
           (choices (mapcar (lambda (option) (cons (plist-get option :label) option)) options))
           (completion-extra-properties
            (list :annotation-function
                  (lambda (label)
                    (let ((description (plist-get (cdr (assoc label choices)) :description)))
                      (if (string-empty-p description) "" (concat " – " description)))))))
      (condition-case nil
          (if (not (eq multi_select t))
              (completing-read prompt choices)
            (let* ((chosen (completing-read-multiple (concat prompt "(several, by \";\") ") choices))
                   (labels (seq-filter (lambda (label) (member label chosen)) (mapcar #'car choices))))
              (string-join (append labels (seq-difference chosen labels)) ", ")))
        (quit nil)))))

(defun askwire--questions (payload)
  "Ask the questions of PAYLOAD, one after the other."
  (let ((answers (make-hash-table :test #'equal)))
    (seq-doseq (question (plist-get payload :questions))
      (let ((answer (askwire--beside (plist-get question :body)
                      (lambda () (askwire--ask question)))))
        (when (and answer (not (string-blank-p answer)))
          (puthash (plist-get question :question) answer answers))))
    `(:answers ,answers)))

(defun askwire--approval (payload)
  "Have the person approve or reject what PAYLOAD describes.  To quit rejects."
  (cl-destructuring-bind (&key sender description display &allow-other-keys) payload
    (askwire--beside (mapconcat #'askwire--text display "\n\n")
      (lambda ()
        (condition-case nil
            (pcase (completing-read
                    (format "%s: %s " sender description)
                    '("Approve" "Approve for this session" "Reject" "Reject and say why") nil t)
              ("Approve" '(:response "approve"))
              ("Approve for this session" '(:response "approve_for_session"))
              ("Reject and say why" `(:response "reject" :feedback ,(read-string "Why not? ")))
              (_ '(:response "reject")))
          (quit '(:response "reject")))))))

(defun askwire--beside (text ask)
  "Show TEXT in a window of its own while ASK asks the person.
Its buffer is its own too: another request may come while the person is at this one."
  (let ((buffer (generate-new-buffer "*askwire*")))
    (unwind-protect
        (save-window-excursion
          (unless (string-empty-p text)
            (with-current-buffer buffer (insert text))
            (display-buffer buffer))
          (funcall ask))
      (kill-buffer buffer))))

(defun askwire--text (block)
  "Return the text of BLOCK of an approval, which is empty for a type that is not known here."
  (cl-destructuring-bind (&key type path old_text new_text command text &allow-other-keys) block
    (if (equal type "diff")
        (format "%s\n\nBefore:\n%s\n\nAfter:\n%s" path old_text new_text)
      (or command text ""))))
;; #endregion person

;; #region prompt
(defun askwire (words)
  "Prompt the agent with WORDS.  Show what it says when its turn is over."
  (interactive "sWhat should the agent do? ")
  (let* (said is-over problem process
         (start (lambda ()
                  (setq process (make-process
                                 :name "askwire" :command askwire-command :connection-type 'pipe
                                 :coding 'utf-8-emacs-unix :noquery t
                                 :stderr (get-buffer-create "*askwire stderr*")))))
         (hear (lambda (_agent _method event)
                 (let ((payload (plist-get event :payload)))
                   (when (and (equal (plist-get event :type) "ContentPart")
                              (equal (plist-get payload :type) "text"))
                     (push (plist-get payload :text) said)))))
         (ended (lambda (_agent)
                  (unless (or is-over problem)
                    (setq problem (format "the agent ended with %s" (process-exit-status process))))
                  (message "%s" (or problem (apply #'concat (reverse said))))
                  (run-hooks 'askwire-ended-hook)))
         (agent (make-instance 'askwire-connection
                               :name "askwire" :process start :on-shutdown ended
                               :request-dispatcher #'askwire--asked :notification-dispatcher hear))
         (finish (lambda (_result) (setq is-over t) (process-send-eof process)))
         (fail (jsonrpc-lambda (&key message &allow-other-keys)
                 (when (process-live-p process)
                   (setq problem message)
                   (process-send-eof process)))))
    (jsonrpc-async-request agent :initialize '(:protocol_version "1.10" :capabilities (:supports_question t))
                           :success-fn #'ignore :error-fn fail :timeout nil)
    ;; A turn lasts as long as it lasts: without nil, jsonrpc.el stops waiting after ten seconds.
    (jsonrpc-async-request agent :prompt `(:user_input ,words)
                           :success-fn finish :error-fn fail :timeout nil)))
;; #endregion prompt

(provide 'askwire)
;;; askwire.el ends here
