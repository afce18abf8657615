package io.carillon.server.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePathWrapper;

/** Files of H2 ({@code jdbc:h2:full:PATH}) on a disk that is full when a test says so. */
public final class FullDisk extends FilePathWrapper {
    static volatile boolean full;
    static volatile boolean gone;

    @Override
    public String getScheme() {
        return "full";
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        if (gone) {
            throw new IOException("Input/output error");
        }
        return new File(super.open(mode));
    }

    private static final class File extends FileBase {
        private final FileChannel disk;

        File(FileChannel disk) {
            this.disk = disk;
        }

        private static void room() throws IOException {
            if (full) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public int write(ByteBuffer from, long at) throws IOException {
            room();
            return disk.write(from, at);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            room();
            return disk.write(from);
        }

        @Override
        public int read(ByteBuffer to, long at) throws IOException {
            return disk.read(to, at);
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            return disk.read(to);
        }

        @Override
        public long position() throws IOException {
            return disk.position();
        }

        @Override
        public FileChannel position(long at) throws IOException {
            disk.position(at);
            return this;
        }

        @Override
        public long size() throws IOException {
            return disk.size();
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            disk.truncate(size);
            return this;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            disk.force(metaData);
        }

        @Override
        public FileLock tryLock(long at, long size, boolean shared) throws IOException {
            return disk.tryLock(at, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            disk.close();
        }
    }
}
