package io.carillon.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MavenClassPathTest {
    @Test
    void whatThePluginWritesIsReadByItsScopes() {
        ClassPath read =
                MavenClassPath.parse(
                        List.of(
                                "",
                                "The following files have been resolved:",
                                "   org.a:a:jar:1:compile:/r/a-1.jar -- module org.a (auto)",
                                "   org.b:b:jar:linux:1.0:compile (optional) :/r/b.jar",
                                "   javax:api:jar:4:provided:/r/api 4.jar -- module api",
                                "   org.c:c:jar:1:runtime:/r/c.jar\u001b[36m -- module c\u001b[0m",
                                "   org.d:d:jar:1:test:/r/d.jar",
                                "   com.e:sibling:jar:1:compile:/work/sibling/target/classes"));

        assertThat(read.compile())
                .containsExactly(
                        Path.of("/r/a-1.jar"),
                        Path.of("/r/b.jar"),
                        Path.of("/r/api 4.jar"),
                        Path.of("/work/sibling/target/classes"));
        assertThat(read.packed())
                .containsExactly(
                        Path.of("/r/a-1.jar"),
                        Path.of("/r/b.jar"),
                        Path.of("/r/c.jar"),
                        Path.of("/work/sibling/target/classes"));
    }
}
