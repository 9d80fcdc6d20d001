//! A job object: a set of processes that end together. Most of the `unsafe` code for Windows is
//! here; it only calls functions of Windows.

use std::io;
use std::mem::size_of;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle, RawHandle};
use std::process::Child;
use windows_sys::Win32::Foundation::INVALID_HANDLE_VALUE;
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, Thread32First, Thread32Next, TH32CS_SNAPTHREAD, THREADENTRY32,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JobObjectExtendedLimitInformation,
    SetInformationJobObject, TerminateJobObject, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
};
use windows_sys::Win32::System::Threading::{OpenThread, ResumeThread, THREAD_SUSPEND_RESUME};

/// The exit status of processes that a job ends.
const KILLED: u32 = 1;

/// A job. Its processes end when its handle closes. The system closes the handle when this process
/// ends, even after a crash.
pub struct Job(OwnedHandle);

impl Job {
    /// A job without a process.
    ///
    /// # Errors
    /// If the system cannot make a job.
    pub fn new() -> io::Result<Job> {
        // SAFETY: both arguments may be null: no attributes, so no child inherits it, and no name.
        let handle = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is new, and nothing else owns it.
        let job = Job(unsafe { OwnedHandle::from_raw_handle(handle as RawHandle) });
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: `limits` has the class and the size in the call.
        checked(unsafe {
            SetInformationJobObject(
                job.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32,
            )
        })?;
        Ok(job)
    }

    /// Adds a process that was started suspended, and lets it run. Its later children also belong
    /// to the job.
    ///
    /// # Errors
    /// If the system refuses; the process may then still be suspended.
    pub fn take_in(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles live as long as the borrows.
        checked(unsafe {
            AssignProcessToJobObject(self.0.as_raw_handle(), child.as_raw_handle())
        })?;
        resume(child.id())
    }

    /// Ends all processes in it.
    pub fn end(&self) {
        // SAFETY: the handle lives as long as the borrow. An error means that the job has already
        // ended.
        let _ = unsafe { TerminateJobObject(self.0.as_raw_handle(), KILLED) };
    }
}

/// The last error if a function returned 0.
fn checked(result: i32) -> io::Result<()> {
    match result {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Resumes the threads of a process. The standard library keeps the handle of the first one to
/// itself, so it is found in the list of all threads.
fn resume(process: u32) -> io::Result<()> {
    // SAFETY: it takes no pointers.
    let handle = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) };
    if handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle is new, and nothing else owns it.
    let snapshot = unsafe { OwnedHandle::from_raw_handle(handle as RawHandle) };
    let mut entry = THREADENTRY32 {
        dwSize: size_of::<THREADENTRY32>() as u32,
        ..Default::default()
    };
    // SAFETY: `entry` has the size in its `dwSize`, here and below.
    let mut more = unsafe { Thread32First(snapshot.as_raw_handle(), &mut entry) };
    let mut resumed = Err(io::Error::other("the program has no thread"));
    while more != 0 {
        if entry.th32OwnerProcessID == process {
            resumed = resume_thread(entry.th32ThreadID);
        }
        // SAFETY: as above.
        more = unsafe { Thread32Next(snapshot.as_raw_handle(), &mut entry) };
    }
    resumed
}

fn resume_thread(thread: u32) -> io::Result<()> {
    // SAFETY: it takes no pointers.
    let handle = unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, thread) };
    if handle.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle is new, and nothing else owns it.
    let handle = unsafe { OwnedHandle::from_raw_handle(handle as RawHandle) };
    // SAFETY: the handle lives until the end of the function.
    match unsafe { ResumeThread(handle.as_raw_handle()) } {
        u32::MAX => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
