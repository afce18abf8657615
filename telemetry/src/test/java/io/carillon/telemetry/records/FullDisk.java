package io.carillon.telemetry.records;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * A disk that may be full: then it takes three bytes more, and fails.
 *
 * @param hurt does it not even cut a file?
 */
record FullDisk(WholeLines.Disk file, BooleanSupplier full, BooleanSupplier hurt)
        implements WholeLines.Disk {
    static WholeLines.Opener when(BooleanSupplier full) {
        return path -> new FullDisk(WholeLines.onDisk(path), full, () -> false);
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
        if (!full.getAsBoolean()) {
            file.append(bytes);
            return;
        }
        file.append(bytes.slice(0, Math.min(3, bytes.remaining())));
        throw new IOException("No space left on device");
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public void truncate(long size) throws IOException {
        if (hurt.getAsBoolean()) {
            throw new IOException("Input/output error");
        }
        file.truncate(size);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
