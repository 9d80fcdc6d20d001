//! A job object: a set of processes that end together. Most of the `unsafe` code for
//! Windows, which is nothing but calls of its own functions.

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

/// A job. All in it end with its handle, which closes when this process ends, however it does.
pub struct Job(OwnedHandle);

impl Job {
    /// A job without a process.
    ///
    /// # Errors
    /// If the system has none to give.
    pub fn new() -> io::Result<Job> {
        // SAFETY: both arguments may be null: no attributes, so no child inherits it, and no name.
        let handle = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was just made, and nobody else has it.
        let job = Job(unsafe { OwnedHandle::from_raw_handle(handle as RawHandle) });
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: `limits` is of the class that is named, and of the size that is given.
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

    /// Takes in a process that has been started suspended, with all that it will start, and lets it
    /// run.
    ///
    /// # Errors
    /// If the system refuses; the process may then be suspended still.
    pub fn take_in(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles live as long as the borrows.
        checked(unsafe {
            AssignProcessToJobObject(self.0.as_raw_handle(), child.as_raw_handle())
        })?;
        resume(child.id())
    }

    /// Ends all processes in it.
    pub fn end(&self) {
        // SAFETY: the handle lives as long as the borrow. What has ended needs no end.
        let _ = unsafe { TerminateJobObject(self.0.as_raw_handle(), KILLED) };
    }
}

/// The last error if a function returned false.
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
    // SAFETY: it was just made, and nobody else has it.
    let snapshot = unsafe { OwnedHandle::from_raw_handle(handle as RawHandle) };
    let mut entry = THREADENTRY32 {
        dwSize: size_of::<THREADENTRY32>() as u32,
        ..Default::default()
    };
    // SAFETY: `entry` has the size that it says, here and below.
    let mut more = unsafe { Thread32First(snapshot.as_raw_handle(), &mut entry) };
    let mut resumed = Err(io::Error::other("the program has no thread to run"));
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
    // SAFETY: it was just opened, and nobody else has it.
    let handle = unsafe { OwnedHandle::from_raw_handle(handle as RawHandle) };
    // SAFETY: the handle lives until the end of the function.
    match unsafe { ResumeThread(handle.as_raw_handle()) } {
        u32::MAX => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
