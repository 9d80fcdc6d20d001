//! `hex web`: play, watch and understand Hex in a browser. This file has the arguments, and the
//! start and end of the server. The service itself, which needs no server, is
//! [`hex_core::service`].
//!
//! [`guard`] decides which requests are allowed, [`requests`] handles them, and [`server`] has the
//! state that they share. [`socket`] passes searches to [`search_threads`], which run the service's
//! queue, and proofs to [`prover`]. The page's files are in `page/`, and [`page`] embeds them.
//! [`sent`] prepares them for the server, and [`export`] writes them for other hosts; both use
//! scripts [`joined`] from its modules.
//!
//! The server stores no games: a tab sends all moves with every question, and keeps them in its
//! address bar. So a bad request cannot change anything, and a link is enough to continue a game.

mod refusal;
pub mod joined;
pub mod page;
mod export;
mod prover;
mod body;
mod guard;
mod opened;
mod sent;
mod search_threads;
mod server;
mod socket;
mod requests;

use anyhow::Context;
use axum::Router;
use hex_common::aside::tell_line;
use hex_common::interruption::Interruption;
use hex_common::options;
use hex_common::patience::patience;
use hex_common::weights_file::NetworkChoice;
use hex_common::workers::at_the_same_time;
use hex_core::service::turns::ClientId;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{service_fn, Service};
use hyper::Request;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use opened::Opened;
use search_threads::SearchThreads;
use server::{Closing, Server};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

/// How long open requests may take after the signal to end.
const GRACE: Duration = Duration::from_secs(3);

/// How long the head of a request may take to arrive, and how long an idle connection is kept.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// The most bytes of a connection that are read ahead. A head must fit into it.
const MAX_BUFFER: usize = 64 << 10;

/// How long to wait after a connection was not accepted because too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The threads that answer requests; they are idle most of the time.
const ANSWERING_THREADS: usize = 2;

/// How often the server looks for a signal to end.
const SIGNAL_LOOK: Duration = Duration::from_millis(50);

/// The most threads that search. Each has an engine of its own.
const MOST_THREADS: u16 = 256;

/// Play, watch and understand Hex in a browser
///
/// Serves a page on this machine only, and prints its address: games against the bot, against
/// another person or bot against bot, analysis of positions, and the games of `hex match`. Ctrl-C
/// ends it. docs/web.md explains the page.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A record to open in the page: a game, a folder, zip or `.jsonl` file of games, or a match
    /// folder
    #[arg(value_name = "RECORD")]
    record: Option<PathBuf>,

    /// The port on 127.0.0.1; 0 for any free port
    #[arg(long, default_value_t = 8765, value_parser = options::whole(0..=u16::MAX))]
    port: u16,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// Threads that search, for all tabs together [default: one less than this machine has cores]
    #[arg(long, value_name = "N", value_parser = options::whole(1..=MOST_THREADS))]
    threads: Option<u16>,

    /// Write the page with its engine into this folder instead, for any web host
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["record", "port", "open", "threads", "seed", "weights", "playouts_only"])]
    export: Option<PathBuf>,

    /// The folder of the engine as WebAssembly, which wasm/build makes
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = "target/page",
        requires = "export"
    )]
    modules: PathBuf,

    #[command(flatten)]
    network: NetworkChoice,

    /// Seed of all random numbers [default: random]
    #[arg(long, value_name = "N", value_parser = options::whole(options::SEEDS))]
    seed: Option<u64>,
}

/// Serves until a signal ends it, or writes the page into a folder.
///
/// # Errors
/// If the record cannot be read, or the port is in use.
pub fn run(args: Args) -> anyhow::Result<()> {
    if let Some(folder) = args.export {
        return export::export(&folder, &args.modules);
    }
    let opened = args.record.map(Opened::check).transpose()?;
    let threads = args.threads.map_or_else(options::all_but_one, usize::from);
    let networks = args.network.networks()?;
    let threads = SearchThreads::new(threads, args.seed.unwrap_or_else(any_seed), networks)?;
    let server = Server::new(opened, threads)?;
    // tokio panics if it cannot start its threads.
    at_the_same_time(vec![(); ANSWERING_THREADS + 1], |()| {}, || {})?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(ANSWERING_THREADS)
        .enable_all()
        .build()
        .context("cannot start the threads that answer requests")?;
    let served = runtime.block_on(async {
        let listener = listen(args.port).await?;
        let address = format!("http://{}/", listener.local_addr()?);
        writeln!(std::io::stdout(), "{address}")?;
        if args.open {
            if let Err(error) = open::that_detached(&address) {
                tell_line(format_args!(
                    "warning: no browser could be started ({error}); open {address}"
                ));
            }
        }
        serve(server, listener).await
    });
    // Does not wait for a request that hangs in a file system.
    runtime.shutdown_background();
    served
}

async fn listen(port: u16) -> anyhow::Result<TcpListener> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    TcpListener::bind(address).await.with_context(|| {
        format!(
            "--port {port}: {address} is not available; choose another port, or 0 for any free one"
        )
    })
}

/// Answers requests until a signal arrives; then stops all searches and waits a short time for open
/// requests.
async fn serve(server: Server, listener: TcpListener) -> anyhow::Result<()> {
    // A second signal ends the program at once.
    let interruption = Interruption::watch()?;
    let closing = server.closing.clone();
    let begin_to_close = server.closing.clone();
    let router = requests::router(server)?;
    tokio::spawn(async move {
        while !interruption.flag().load(Ordering::Relaxed) {
            tokio::time::sleep(SIGNAL_LOOK).await;
        }
        tell_line("hex web: ending");
        begin_to_close.close();
    });
    answer_until_closed(router, &closing, listener).await;
    if tokio::time::timeout(GRACE, closing.left()).await.is_err() {
        tell_line("hex web: some requests were still open");
    }
    Ok(())
}

/// Accepts connections until the server closes.
async fn answer_until_closed(router: Router, closing: &Closing, listener: TcpListener) {
    let mut closed = std::pin::pin!(closing.closed());
    let service = TowerToHyperService::new(router);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut closed => return,
        };
        match accepted {
            Ok((stream, address)) => {
                let client = ClientId(address.ip());
                tokio::spawn(answer(stream, client, service.clone(), closing.clone()));
            }
            Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
        }
    }
}

/// Answers the requests of a connection until it ends or the server closes.
async fn answer(
    stream: TcpStream,
    client: ClientId,
    service: TowerToHyperService<Router>,
    closing: Closing,
) {
    let _lock = closing.hold();
    // Answers are small and should not wait for each other.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(client);
        service.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience(HEAD_TIME))
        // A client may send no more after its request, and still read the answer.
        .half_close(true)
        .max_buf_size(MAX_BUFFER)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    // A client's error ends only its own connection.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = closing.closed() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// A seed that differs from run to run.
fn any_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(())
}
