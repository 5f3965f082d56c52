//! [`Hall`]: a project in memory with its coordinator, and the door to it; raw HTTP to ask there.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cluster::http::{DoorLimits, DoorOptions, DoorServer};
use cluster::worker::WorkerOptions;
use cluster::{DoorError, Handed, Refused, Visitor, WorkDoor};
use play::Stop;
use serde_json::Value;
use solve::coordinator::{Coordinator, ProjectStanding, Voter};
use solve::message::{SolverVersion, Unit, UnitId, UnitReport};
use solve::store::{Door, Epoch, MemoryStore, Receipt, Store};
use solve::{Bounds, Goal, Method, Plan, SolverRules, TrustPlan, answers};

/// A project that is worked at through a door.
pub(crate) struct Hall {
    inside: Mutex<Inside>,
    pub(crate) rules: Arc<dyn SolverRules>,
    pub(crate) solver: Option<SolverVersion>,
    /// Nobody wants any unit.
    pub(crate) withdrawn: AtomicBool,
    /// So long a lease lasts.
    pub(crate) lease_seconds: AtomicU64,
    /// Each call takes so long, in milliseconds.
    pub(crate) delay: AtomicU64,
}

struct Inside {
    rules: &'static dyn SolverRules,
    store: MemoryStore,
    coordinator: Coordinator<'static>,
    epoch: Epoch,
    owners: HashMap<(UnitId, u32), u64>,
    leased: Vec<(Unit, u32)>,
    released: Vec<(UnitId, u32)>,
    taken: Vec<UnitReport>,
}

/// What is asked, and in which pieces.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) game: &'static str,
    pub(crate) goal: Goal,
    pub(crate) budget: u64,
    pub(crate) slice: u64,
    pub(crate) keep_table: bool,
    pub(crate) table_megabytes: u32,
    pub(crate) solver: Option<SolverVersion>,
    pub(crate) trust: TrustPlan,
}

impl Asked {
    pub(crate) fn about(game: &'static str) -> Asked {
        Asked {
            game,
            goal: Goal::Value,
            budget: 4000,
            slice: 1000,
            keep_table: false,
            table_megabytes: 1,
            solver: None,
            trust: TrustPlan::OWN,
        }
    }
}

/// Who has which token: a user, and whether it is one of the project's own.
fn user(token: &str) -> Option<(u64, bool)> {
    Some(match token {
        "own-token" => (0, true),
        "ann-token" => (1, false),
        "bob-token" => (2, false),
        "liar-token" => (3, false),
        "mallory-token" => (4, false),
        _ => return None,
    })
}

fn voter(who: &Visitor) -> Voter {
    Voter { user: who.user, network: who.user, trusted: who.trusted }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

impl Hall {
    pub(crate) fn new(asked: Asked) -> Arc<Hall> {
        let game = catalog::open(asked.game).unwrap();
        let rules = game.solver_rules(&game.session().position()).unwrap();
        let solver = asked.solver.unwrap_or(rules.version());
        let leaked: &'static Arc<dyn SolverRules> = Box::leak(Box::new(Arc::clone(&rules)));
        let mut store = MemoryStore::new(7);
        let claimed = store.claim(true).unwrap();
        let plan = Plan {
            method: Method::AlphaBeta,
            budget: asked.budget,
            slice: asked.slice,
            table_megabytes: asked.table_megabytes,
            keep_table: asked.keep_table,
            solver,
            second_share: 0,
            while_leased: solve::tree::WhileLeased::Flag,
            memory: 64 << 20,
            trust: asked.trust,
            lemmas: None,
        };
        let coordinator =
            Coordinator::new(&**leaked, asked.goal, plan, claimed.project, 1).unwrap();
        let inside = Inside {
            rules: &**leaked,
            store,
            coordinator,
            epoch: claimed.epoch,
            owners: HashMap::new(),
            leased: Vec::new(),
            released: Vec::new(),
            taken: Vec::new(),
        };
        Arc::new(Hall {
            inside: Mutex::new(inside),
            rules,
            solver: asked.solver,
            withdrawn: AtomicBool::new(false),
            lease_seconds: AtomicU64::new(600),
            delay: AtomicU64::new(0),
        })
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.inside.lock().unwrap().coordinator.bounds()
    }

    pub(crate) fn is_answered(&self) -> bool {
        *self.inside.lock().unwrap().coordinator.standing() == ProjectStanding::Answered
    }

    pub(crate) fn leased(&self) -> Vec<(Unit, u32)> {
        self.inside.lock().unwrap().leased.clone()
    }

    pub(crate) fn released(&self) -> Vec<(UnitId, u32)> {
        self.inside.lock().unwrap().released.clone()
    }

    pub(crate) fn taken(&self) -> Vec<UnitReport> {
        self.inside.lock().unwrap().taken.clone()
    }

    pub(crate) fn credit(&self, user: u64) -> u64 {
        self.inside.lock().unwrap().store.credit(user)
    }

    fn delay(&self) {
        std::thread::sleep(Duration::from_millis(self.delay.load(Relaxed)));
    }
}

impl Inside {
    fn step(&mut self, more: usize) {
        let mut events = self.store.events(1000).unwrap();
        loop {
            let batch = self.coordinator.step(now(), &events, more);
            self.store.commit(self.epoch, &batch, 0.0).unwrap();
            events = answers(self.rules, &mut self.store, &batch, &Stop::new()).unwrap();
            if events.is_empty() {
                break;
            }
        }
    }
}

impl WorkDoor for Hall {
    fn admit(&self, token: &str, _from: IpAddr, _host: &str) -> Result<Visitor, DoorError> {
        let (user, trusted) = user(token).ok_or(DoorError::UnknownToken)?;
        Ok(Visitor { user, host: 1, network: user, trusted })
    }

    fn lease(
        &self,
        who: &Visitor,
        versions: &[(String, SolverVersion)],
        _megabytes: u32,
    ) -> Result<Handed, DoorError> {
        self.delay();
        // Nobody compares the results of a solver without a version.
        let compared = self.solver.filter(|&solver| solver != SolverVersion::default());
        let wanted = compared.map(|solver| ("mnk".to_owned(), solver));
        if let Some(wanted) = wanted.filter(|wanted| !versions.contains(wanted)) {
            return Ok(Handed::Refused(Refused::OtherVersion(vec![wanted])));
        }
        let mut inside = self.inside.lock().unwrap();
        let inside = &mut *inside;
        if *inside.coordinator.standing() != ProjectStanding::Open {
            return Ok(Handed::Refused(Refused::Over));
        }
        let seconds = self.lease_seconds.load(Relaxed);
        let mut lease = inside.store.lease(voter(who), now(), seconds).unwrap();
        if lease.is_none() {
            inside.step(1);
            lease = inside.store.lease(voter(who), now(), seconds).unwrap();
        }
        let Some(lease) = lease else { return Ok(Handed::Later(0)) };
        inside.owners.insert((lease.unit.id, lease.attempt), who.user);
        inside.leased.push((lease.unit.clone(), lease.attempt));
        Ok(Handed::Unit(Box::new(lease), seconds))
    }

    fn renew(&self, _who: &Visitor, units: &[(UnitId, u32)]) -> Result<Vec<bool>, DoorError> {
        let mut inside = self.inside.lock().unwrap();
        let seconds = self.lease_seconds.load(Relaxed);
        let mut renew =
            |&(unit, attempt)| inside.store.renew(unit, attempt, now(), seconds).unwrap();
        let wanted = !self.withdrawn.load(Relaxed);
        Ok(units.iter().map(|unit| renew(unit) && wanted).collect())
    }

    fn release(&self, who: &Visitor, unit: UnitId, attempt: u32) -> Result<(), DoorError> {
        let mut inside = self.inside.lock().unwrap();
        if inside.owners.get(&(unit, attempt)) == Some(&who.user) {
            inside.store.release(unit, attempt).unwrap();
            inside.released.push((unit, attempt));
        }
        Ok(())
    }

    fn deliver(&self, who: &Visitor, report: &[u8]) -> Result<Receipt, DoorError> {
        self.delay();
        let mut inside = self.inside.lock().unwrap();
        let receipt = inside.store.deliver(voter(who), report, now()).unwrap();
        if receipt == Receipt::Taken {
            inside.taken.push(UnitReport::decode(report).unwrap());
            inside.step(0);
        }
        Ok(receipt)
    }

    fn keep_lemma(
        &self,
        _who: &Visitor,
        unit: UnitId,
        attempt: u32,
        file: &[u8],
    ) -> Result<Receipt, DoorError> {
        let known = self.inside.lock().unwrap().owners.contains_key(&(unit, attempt));
        Ok(match known {
            true => Receipt::Taken,
            false => Receipt::Refused(format!("no lease for {} bytes", file.len())),
        })
    }
}

/// Limits that a test with many clients on one machine does not reach.
pub(crate) fn wide() -> DoorLimits {
    let defaults = DoorLimits::default();
    let requests = serving::Rate { burst: 1e6, per_second: 1e6 };
    let connections = serving::Share { each: defaults.connections.all, ..defaults.connections };
    DoorLimits { requests, connections, ..defaults }
}

pub(crate) fn listener(address: &str) -> TcpListener {
    TcpListener::bind(address).unwrap()
}

/// Serves a hall on any free port.
pub(crate) fn serve(hall: &Arc<Hall>, options: DoorOptions) -> DoorServer {
    serve_at(hall, "127.0.0.1:0", options)
}

pub(crate) fn serve_at(hall: &Arc<Hall>, address: &str, options: DoorOptions) -> DoorServer {
    let door = Arc::clone(hall) as Arc<dyn WorkDoor>;
    DoorServer::start(vec![listener(address)], door, options, axum::Router::new()).unwrap()
}

/// A worker that does not wait long.
pub(crate) fn hasty(url: &str, token: &str, folder: &Path) -> WorkerOptions {
    let waits = (Duration::from_millis(20), Duration::from_millis(200));
    WorkerOptions { waits, checkpoints: Duration::ZERO, ..WorkerOptions::new(url, token, folder) }
}

/// What a server answers.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Heard {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// The one line of an error.
    pub(crate) fn error(&self) -> String {
        let json = self.json();
        let error = json["error"].as_str().unwrap().to_owned();
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(json["code"].is_string(), "{json}");
        error
    }
}

/// Sends bytes and reads until the server closes.
pub(crate) fn say(address: SocketAddr, bytes: &[u8]) -> Heard {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    // Somebody who says too much may be cut off.
    let _ = stream.write_all(bytes);
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let text = String::from_utf8_lossy(&all).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Heard { status, head: head.to_owned(), body: body.to_owned() }
}

/// One request.
pub(crate) fn ask(address: SocketAddr, request: &str, token: Option<&str>, body: &[u8]) -> Heard {
    let authorization =
        token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let length = body.len();
    let head = format!(
        "{request} HTTP/1.1\r\nHost: door\r\n{authorization}Content-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    say(address, &[head.as_bytes(), body].concat())
}

pub(crate) fn post(server: &DoorServer, path: &str, token: &str, body: &Value) -> Heard {
    let request = format!("POST /api/v1/{path}");
    ask(server.addresses()[0], &request, Some(token), body.to_string().as_bytes())
}
