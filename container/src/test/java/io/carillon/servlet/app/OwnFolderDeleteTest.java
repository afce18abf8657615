package io.carillon.servlet.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFolderDeleteTest {
    private static void fill(Path tree) throws IOException {
        for (int folder = 0; folder < 20; folder++) {
            Path inner = Files.createDirectories(tree.resolve("f" + folder).resolve("inner"));
            for (int file = 0; file < 10; file++) {
                Files.writeString(inner.resolve("c" + file), "class");
            }
        }
    }

    /** An application ends while the server removes the folder of all of them. */
    @RepeatedTest(20)
    void twoAtTheSameFolderIsNoFailure(@TempDir Path temp) throws Exception {
        Path all = temp.resolve("work");
        fill(all.resolve("application"));
        CompletableFuture<Void> application =
                CompletableFuture.runAsync(() -> delete(all.resolve("application")));
        OwnFolder.delete(all);
        application.join();
        assertThat(all).doesNotExist();
    }

    @Test
    void whatIsGoneAlreadyIsNoFailure(@TempDir Path temp) throws Exception {
        OwnFolder.delete(temp.resolve("none"));
        assertThat(temp).isEmptyDirectory();
    }

    private static void delete(Path tree) {
        try {
            OwnFolder.delete(tree);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
