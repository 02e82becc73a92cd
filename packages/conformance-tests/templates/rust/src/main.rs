//! A client of Kimi Wire 1.10: it starts an agent, sends one prompt, and answers questions and approvals.
//!
//! The standard library is all it needs. `Person` stands for your user interface; the conformance suite says what the
//! person answers, by variables.

mod json;

use json::Json;
use std::collections::HashMap;
use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

const INITIALIZE_TIME: Duration = Duration::from_secs(8);
const CLOSE_TIME: Duration = Duration::from_secs(1);
const FAR_AWAY: Duration = Duration::from_secs(365 * 24 * 3600);

/// What threads tell the client.
enum News {
    Line(Vec<u8>),
    AgentEnded,
    /// The person's word on the request with this id: a result without its `request_id`.
    Said(String, Json),
}

/// Put your user interface here.
struct Person(Json);

impl Person {
    /// Puts a question or an approval before the person, who answers at any time, from any thread.
    fn ask(&self, payload: &Json, answer: impl FnOnce(Json) + Send + 'static) {
        let said = match payload.get("questions") {
            Json::List(questions) => Json::object([("answers", self.answers(questions))]),
            _ => self.approval(),
        };
        let time = match self.0.get("after_ms") {
            Json::Number(digits) => Duration::from_millis(digits.parse().unwrap_or(0)),
            _ => Duration::ZERO,
        };
        thread::spawn(move || {
            thread::sleep(time);
            answer(said);
        });
    }

    /// Answers by the texts of the questions. What the person leaves out is not among them.
    fn answers(&self, questions: &[Json]) -> Json {
        let mut answers = Vec::new();
        for (index, question) in questions.iter().enumerate() {
            let chosen = self.0.get("choose").list().get(index).map_or(&[][..], Json::list);
            let labels = question.get("options").list().iter().map(|option| option.get("label"));
            let mut values: Vec<&str> =
                labels.filter(|label| chosen.contains(label)).filter_map(Json::text).collect();
            values.extend(self.0.get("own_text").text().filter(|_| index == 0));
            if !values.is_empty() && self.0.get("dismiss") != &Json::Bool(true) {
                let text = question.get("question").text().unwrap_or("").to_string();
                answers.push((text, Json::Text(values.join(", "))));
            }
        }
        Json::Object(answers)
    }

    /// One of approve, approve_for_session and reject; and with a rejection, words to the agent.
    fn approval(&self) -> Json {
        let response = self.0.get("approve").text().unwrap_or("reject");
        let feedback = self.0.get("own_text").text().filter(|_| response == "reject").unwrap_or("");
        Json::object([("response", response.into()), ("feedback", feedback.into())])
    }
}

/// A conversation with an agent, over its standard streams.
struct Client {
    agent: Child,
    input: Option<ChildStdin>,
    person: Person,
    news: Receiver<News>,
    tell: Sender<News>,
    /// The requests before the person, by the id in their payload: the id of the message, and the payload.
    open: HashMap<String, (Json, Json)>,
    calls: usize,
}

impl Client {
    fn start(command: &str, words: &[Json], person: Person) -> io::Result<Client> {
        let mut agent = Command::new(command)
            .args(words.iter().filter_map(Json::text))
            .arg("--wire")
            .env_remove("DEBUG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (tell, news) = channel();
        let (input, output, heard) = (agent.stdin.take(), agent.stdout.take(), tell.clone());
        thread::spawn(move || {
            for line in output.into_iter().flat_map(|output| BufReader::new(output).split(b'\n')).flatten() {
                let _ = heard.send(News::Line(line));
            }
            let _ = heard.send(News::AgentEnded);
        });
        Ok(Client { agent, input, person, news, tell, open: HashMap::new(), calls: 0 })
    }

    /// Introduces the client. An agent that does not know `initialize` (-32601) is older, and used without.
    fn initialize(&mut self) -> Result<(), String> {
        let params = Json::object([
            ("protocol_version", "1.10".into()),
            ("client", Json::object([("name", "my-client".into()), ("version", "0.1.0".into())])),
            ("capabilities", Json::object([("supports_question", Json::Bool(true))])),
        ]);
        let response = self.call("initialize", params, INITIALIZE_TIME)?;
        let is_older = response.get("error").get("code") == &Json::Number("-32601".to_string());
        let members = ["protocol_version", "server", "slash_commands"];
        if is_older || members.iter().all(|name| response.get("result").has(name)) {
            return Ok(());
        }
        Err(format!("the agent does not introduce itself: {response}"))
    }

    /// Sends a request, takes everything up to its response, and returns that.
    fn call(&mut self, method: &str, params: Json, patience: Duration) -> Result<Json, String> {
        self.calls += 1;
        let id: Json = format!("c{}", self.calls).as_str().into();
        self.send([("id", id.clone()), ("method", method.into()), ("params", params)]);
        let deadline = Instant::now() + patience;
        loop {
            match self.news.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(News::Said(request_id, said)) => self.answer(&request_id, said),
                Ok(News::Line(line)) => {
                    // Anything but a JSON object is passed over.
                    let message = Json::parse(&String::from_utf8_lossy(&line)).unwrap_or(Json::Null);
                    let is_response =
                        message.has("result") || matches!(message.get("error"), Json::Object(_));
                    if message.has("method") {
                        self.receive(&message);
                    } else if message.get("id") == &id && is_response {
                        return Ok(message);
                    }
                }
                Ok(News::AgentEnded) => return Err("the agent has ended".to_string()),
                Err(RecvTimeoutError::Timeout) => return Err(format!("the agent does not answer {method}")),
                Err(RecvTimeoutError::Disconnected) => return Err("nobody reads the agent".to_string()),
            }
        }
    }

    /// Takes an event or a request. Only a request has an answer.
    fn receive(&mut self, message: &Json) {
        let (id, method) = (message.get("id"), message.get("method").text());
        let (kind, payload) =
            (message.get("params").get("type").text(), message.get("params").get("payload"));
        match (method, kind) {
            (Some("event"), _) => self.on_event(kind.unwrap_or(""), payload),
            _ if id == &Json::Null => {}
            (Some("request"), None) => self.refuse(id, "-32602", "the request does not fit"),
            (Some("request"), Some("QuestionRequest" | "ApprovalRequest")) => self.asked(id, payload, kind),
            _ => self.refuse(id, "-32601", "there is no such method or type"),
        }
    }

    fn asked(&mut self, id: &Json, payload: &Json, kind: Option<&str>) {
        let Some(request_id) = payload.get("id").text().filter(|_| fits(kind, payload)) else {
            return self.refuse(id, "-32602", "the request does not fit");
        };
        let (request_id, tell) = (request_id.to_string(), self.tell.clone());
        self.open.insert(request_id.clone(), (id.clone(), payload.clone()));
        self.person.ask(payload, move |said| {
            let _ = tell.send(News::Said(request_id, said));
        });
    }

    /// Shows what the agent says. A request that was settled elsewhere is not answered any more.
    fn on_event(&mut self, kind: &str, payload: &Json) {
        match kind {
            "ContentPart" if payload.get("type").text() == Some("text") => {
                println!("{}", payload.get("text").text().unwrap_or(""));
            }
            "ToolResult" => {
                let call = payload.get("tool_call_id");
                self.open.retain(|_, (_, asked)| asked.get("tool_call_id") != call);
            }
            "ApprovalResponse" | "ApprovalRequestResolved" => {
                self.open.remove(payload.get("request_id").text().unwrap_or(""));
            }
            "TurnEnd" => self.open.clear(),
            _ => {}
        }
    }

    /// Answers once. The id of the payload goes into the answer, and that of the message around it.
    fn answer(&mut self, request_id: &str, said: Json) {
        let Some((id, _)) = self.open.remove(request_id) else { return };
        let Json::Object(mut result) = said else { return };
        result.push(("request_id".to_string(), request_id.into()));
        self.send([("id", id), ("result", Json::Object(result))]);
    }

    fn refuse(&mut self, id: &Json, code: &str, message: &str) {
        let code = Json::Number(code.to_string());
        let error = Json::object([("code", code), ("message", message.into()), ("data", Json::Null)]);
        self.send([("id", id.clone()), ("error", error)]);
    }

    /// Writes a message: one JSON object on a line. The end of the agent's output says when it is gone.
    fn send<const N: usize>(&mut self, members: [(&str, Json); N]) {
        let Json::Object(mut message) = Json::object(members) else { return };
        message.insert(0, ("jsonrpc".to_string(), "2.0".into()));
        if let Some(input) = &mut self.input {
            let _ = input.write_all(format!("{}\n", Json::Object(message)).as_bytes());
        }
    }

    /// Ends the agent by the end of its input, then kindly, then by force.
    fn close(&mut self) {
        self.input = None;
        if !self.has_ended() {
            // The standard library has no signal but the one that kills.
            let _ = Command::new("kill").arg(self.agent.id().to_string()).status();
        }
        if !self.has_ended() {
            let _ = self.agent.kill();
        }
    }

    /// Gives the agent some time to end.
    fn has_ended(&mut self) -> bool {
        let deadline = Instant::now() + CLOSE_TIME;
        while Instant::now() < deadline && matches!(self.agent.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(10));
        }
        !matches!(self.agent.try_wait(), Ok(None))
    }
}

/// True if everything that the client needs of a request is there.
fn fits(kind: Option<&str>, payload: &Json) -> bool {
    let has_texts = |value: &Json, names: &[&str]| names.iter().all(|name| value.get(name).text().is_some());
    if kind == Some("ApprovalRequest") {
        return has_texts(payload, &["id", "tool_call_id", "sender", "action", "description"]);
    }
    let questions = payload.get("questions").list();
    let options = questions.iter().flat_map(|question| question.get("options").list());
    has_texts(payload, &["id", "tool_call_id"])
        && !questions.is_empty()
        && questions.iter().all(|question| has_texts(question, &["question"]))
        && options.into_iter().all(|option| has_texts(option, &["label"]))
}

/// The JSON in a variable.
fn variable(name: &str) -> Json {
    env::var(name).ok().and_then(|text| Json::parse(&text)).unwrap_or(Json::Null)
}

fn run() -> Result<(), String> {
    let agent = env::var("ASKWIRE_CONFORMANCE_AGENT").map_err(|error| error.to_string())?;
    let prompt = env::var("ASKWIRE_CONFORMANCE_PROMPT").map_err(|error| error.to_string())?;
    let words = variable("ASKWIRE_CONFORMANCE_AGENT_ARGUMENTS");
    let person = Person(variable("ASKWIRE_CONFORMANCE_ANSWER"));
    let mut client =
        Client::start(&agent, words.list(), person).map_err(|error| format!("{agent}: {error}"))?;
    let prompt = Json::object([("user_input", prompt.as_str().into())]);
    let ended = client.initialize().and_then(|_| client.call("prompt", prompt, FAR_AWAY));
    client.close();
    match ended?.get("error").get("message").text() {
        Some(message) => Err(format!("the turn failed: {message}")),
        None => Ok(()),
    }
}

fn main() {
    if let Err(error) = run() {
        eprintln!("client: {error}");
    }
}
