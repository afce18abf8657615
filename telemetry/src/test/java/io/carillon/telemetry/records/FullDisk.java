package io.carillon.telemetry.records;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;

/** A file on a disk that may be full: then it takes three bytes more, and fails. */
final class FullDisk extends FileChannel {
    private final FileChannel file;
    private final BooleanSupplier full;

    FullDisk(Path path, BooleanSupplier full) throws IOException {
        this.file = FileChannel.open(path, StandardOpenOption.WRITE);
        this.full = full;
    }

    @Override
    public int write(ByteBuffer bytes, long position) throws IOException {
        if (!full.getAsBoolean()) {
            return file.write(bytes, position);
        }
        ByteBuffer some = bytes.slice();
        some.limit(Math.min(3, some.limit()));
        file.write(some, position);
        throw new IOException("No space left on device");
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        file.truncate(size);
        return this;
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("a spool does not need it");
    }

    @Override
    public int read(ByteBuffer to) {
        throw unused();
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) {
        throw unused();
    }

    @Override
    public int write(ByteBuffer bytes) {
        throw unused();
    }

    @Override
    public long write(ByteBuffer[] bytes, int offset, int length) {
        throw unused();
    }

    @Override
    public long position() {
        throw unused();
    }

    @Override
    public FileChannel position(long newPosition) {
        throw unused();
    }

    @Override
    public long size() {
        throw unused();
    }

    @Override
    public void force(boolean metaData) {
        throw unused();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw unused();
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long position, long count) {
        throw unused();
    }

    @Override
    public int read(ByteBuffer to, long position) {
        throw unused();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw unused();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw unused();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw unused();
    }
}
