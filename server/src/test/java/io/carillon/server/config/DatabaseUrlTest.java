package io.carillon.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {
    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:file:/var/own, jdbc:h2:file:/var/own;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE",
        "jdbc:h2:~/own, jdbc:h2:~/own;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE",
        "jdbc:h2:./own;AUTO_SERVER=TRUE,"
                + " jdbc:h2:./own;AUTO_SERVER=TRUE;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE",
        "jdbc:h2:/own;write_delay=0;db_close_on_exit=true,"
                + " jdbc:h2:/own;write_delay=0;db_close_on_exit=true",
        "jdbc:h2:tcp://db.example/own, jdbc:h2:tcp://db.example/own;WRITE_DELAY=0",
        "jdbc:h2:ssl://db.example/own, jdbc:h2:ssl://db.example/own;WRITE_DELAY=0",
        "jdbc:h2:mem:own, jdbc:h2:mem:own",
        "jdbc:postgresql://db.example/own, jdbc:postgresql://db.example/own",
    })
    void everyFileOfH2IsWrittenBeforeTheAnswer(String given, String used) {
        assertThat(new DatabaseUrl(given).toConnectBy()).isEqualTo(used);
    }

    @Test
    void aSettingInsideAValueIsNone() {
        String inside = "jdbc:h2:/own;INIT=SET LOCK_TIMEOUT 1\\;SET X=1\\;WRITE_DELAY=9";
        assertThat(new DatabaseUrl(inside).toConnectBy()).startsWith(inside + ";WRITE_DELAY=0;");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:file:/own;WRITE_DELAY=500",
                "jdbc:h2:file:/own;CACHE_SIZE=1;write_delay= 10",
                "jdbc:h2:tcp://db.example/own;WRITE_DELAY=1"
            })
    void aDelayThatLosesAcknowledgedRegistrationsIsRefused(String url) {
        assertThatThrownBy(() -> new DatabaseUrl(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("are lost when the process is killed");
    }

    @Test
    void theFileAndLineAreNamed(@TempDir Path folder) {
        assertThatThrownBy(() ->
                        ConfigurationReader.read(
                                "own.yaml",
                                "\ndatabase:\n  url: jdbc:mysql://db.example/own\n",
                                folder))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("own.yaml:3")
                .hasMessageContaining("must begin with jdbc:h2: or jdbc:postgresql:");
    }
}
