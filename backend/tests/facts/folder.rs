//! A folder of fact files that a test writes, removed with it.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

pub struct Folder {
    home: tempfile::TempDir,
}

impl Folder {
    pub fn new() -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self) -> PathBuf {
        self.home.path().to_owned()
    }

    pub fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.home.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub fn gzip(self, name: &str, text: &[u8]) -> Self {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(text).unwrap();
        self.file(name, packed.finish().unwrap())
    }

    pub fn zip(self, name: &str, files: &[(&str, &[u8])]) -> Self {
        let mut packed = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, text) in files {
            packed
                .start_file(*name, zip::write::SimpleFileOptions::default())
                .unwrap();
            packed.write_all(text).unwrap();
        }
        self.file(name, packed.finish().unwrap().into_inner())
    }
}

/// A small company: one site, node and device of each kind of fact that a test may want to change.
pub fn company() -> Folder {
    Folder::new()
        .file(
            "sites.csv",
            "site,name,kind,zone\ns1,Room,owned,Asia/Shanghai\n",
        )
        .file("nodes.csv", "node,site,ownership\nn1,s1,owned\n")
        .file(
            "devices.csv",
            "device,node,slot,model\nd1,n1,0,H100\nd2,n1,1,H100\n",
        )
        .file(
            "device_models.csv",
            "model,vendor,tdp_w,source,confidence\nH100,nvidia,700,datasheet,A\n",
        )
        .file("teams.csv", "team,name\nt1,T\n")
        .file("projects.csv", "project,name,team\np1,P,t1\n")
}
