package io.carillon.server.access;

import io.carillon.servlet.app.OwnFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The file of accounts and tokens, open to its owner only. It is replaced as a whole, under a lock
 * that other processes obey, and read again when it was written: the command line may change it
 * without a server. No database, so that administrators come in when that is what has failed. Any
 * thread; blocks.
 */
public final class AccountFile {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int LARGEST = 16 << 20;

    private final Path folder;
    private final Path file;
    private volatile Seen seen = new Seen(Content.EMPTY, null, 0);

    /**
     * @param folder made when something is written
     */
    public AccountFile(Path folder) {
        this.folder = folder.toAbsolutePath();
        this.file = this.folder.resolve("accounts.json");
    }

    /**
     * An account.
     *
     * @param name of it
     * @param roles in words
     * @param password its hash
     * @param created when, ISO 8601
     */
    record Account(String name, List<String> roles, String password, String created) {
        @Override
        public String toString() {
            return name; // no hash in logs
        }
    }

    /**
     * A token.
     *
     * @param id of it
     * @param account whose it is
     * @param hash of its secret
     * @param roles fewer than the account's; empty: all of them
     * @param label what it is for
     * @param created when, ISO 8601
     * @param expires when, ISO 8601
     */
    record Token(
            String id,
            String account,
            String hash,
            List<String> roles,
            String label,
            String created,
            String expires) {
        @Override
        public String toString() {
            return id; // no hash in logs
        }
    }

    /** All of the file. Immutable. */
    record Content(List<Account> accounts, List<Token> tokens) {
        static final Content EMPTY = new Content(List.of(), List.of());

        @Nullable Account account(String name) {
            for (Account one : accounts) {
                if (one.name().equals(name)) {
                    return one;
                }
            }
            return null;
        }

        long admins() {
            return accounts.stream().filter(one -> one.roles().contains(Role.ADMIN.word())).count();
        }

        Content with(Account one) {
            List<Account> all = new ArrayList<>(accounts);
            all.add(one);
            all.sort(Comparator.comparing(Account::name));
            return new Content(List.copyOf(all), tokens);
        }

        Content without(String name) {
            return new Content(
                    accounts.stream().filter(one -> !one.name().equals(name)).toList(), tokens);
        }

        Content withTokens(List<Token> others) {
            return new Content(accounts, List.copyOf(others));
        }

        Content withoutTokensOf(String name) {
            return withTokens(tokens.stream().filter(one -> !one.account().equals(name)).toList());
        }
    }

    /** What was read, and of which file. */
    private record Seen(Content content, @Nullable Object key, long modified) {}

    /** What a change leads to. */
    record Changed<T>(Content content, T result) {}

    interface Change<T> {
        Changed<T> of(Content before) throws Accounts.Refused;
    }

    /** The content now. */
    Content read() throws Accounts.Refused {
        try {
            if (!Files.exists(file)) {
                return Content.EMPTY;
            }
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            Seen last = seen;
            // A file that replaced another has another key, whatever its time says.
            if (last.key() != null
                    && last.key().equals(now.fileKey())
                    && last.modified() == now.lastModifiedTime().toMillis()) {
                return last.content();
            }
            OwnFolder.check(folder);
            if (now.size() > LARGEST) {
                throw new IOException("it is larger than " + LARGEST + " bytes");
            }
            Content content = JSON.readValue(Files.readAllBytes(file), Content.class);
            seen = new Seen(content, now.fileKey(), now.lastModifiedTime().toMillis());
            return content;
        } catch (IOException e) {
            throw new Accounts.Refused(
                    "the accounts cannot be read (" + file + "): " + e.getMessage(), e);
        } catch (JacksonException e) {
            throw new Accounts.Refused(
                    "the accounts cannot be read (" + file + "): " + e.getOriginalMessage(), e);
        }
    }

    /** Changes the content; one process and one thread at a time. */
    synchronized <T> T change(Change<T> change) throws Accounts.Refused {
        try {
            OwnFolder.make(folder);
            try (FileChannel lock =
                            FileChannel.open(
                                    folder.resolve("accounts.lock"),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE);
                    FileLock held = lock.lock()) {
                if (!held.isValid()) {
                    throw new IOException("no lock");
                }
                Changed<T> changed = change.of(read());
                write(changed.content());
                return changed.result();
            }
        } catch (IOException e) {
            throw new Accounts.Refused(
                    "the accounts cannot be written (" + file + "): " + e.getMessage(), e);
        }
    }

    private void write(Content content) throws IOException {
        byte[] bytes =
                JSON.writerWithDefaultPrettyPrinter()
                        .writeValueAsString(content)
                        .getBytes(StandardCharsets.UTF_8);
        Path next = Files.createTempFile(folder, "accounts", ".new"); // rw-------
        try {
            try (FileChannel out = FileChannel.open(next, StandardOpenOption.WRITE)) {
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) {
                    out.write(buffer);
                }
                out.force(true);
            }
            Files.move(
                    next,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
