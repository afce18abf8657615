package io.carillon.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationReferenceTest {
    private static final Path PAGE = Path.of("..", "docs", "reference/configuration.md");

    /** {@code -Dcarillon.docs.write=true} writes the page instead. */
    @Test
    void theReferencePageIsTheOneTheRecordsPrint() throws Exception {
        String printed = ConfigurationReference.markdown();
        if (Boolean.getBoolean("carillon.docs.write")) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, printed);
        }

        assertThat(PAGE)
                .as(
                        "docs/reference/configuration.md is stale; write it with: mvn -pl server test -Dtest=ConfigurationReferenceTest -Dcarillon.docs.write=true")
                .hasContent(printed);
    }
}
