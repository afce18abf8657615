package io.carillon.cluster.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Voters of two builds make the same tables of the same changes. */
class TableRulesTest {
    @Test
    void changesComeToWhatAnEarlierBuildMadeOfThem() throws IOException {
        again("changes-036eadf25.txt", PartitionTable.of(96, new int[] {0, 1, 2, 3, 4}));
    }

    @Test
    void ownersFollowTheirCopiesAsInAnEarlierBuild() throws IOException {
        again("copies-036eadf25.txt", PartitionTable.of(256, new int[] {0, 1, 2}));
    }

    private static void again(String file, PartitionTable start) throws IOException {
        TableMachine machine = new TableMachine(start);
        int line = 0;
        for (String recorded : recorded(file)) {
            line++;
            if (recorded.startsWith("#")) {
                continue;
            }
            String change = recorded.substring(0, recorded.indexOf(' '));
            machine.apply(HexFormat.of().parseHex(change));
            assertThat(change + ' ' + of(machine.table())).as("line %d", line).isEqualTo(recorded);
        }
        assertThat(machine.unread()).isZero();
        assertThat(machine.table().version()).isGreaterThan(50);
    }

    private static String of(PartitionTable table) {
        byte[] bytes = table.toBytes();
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return table.version() + " " + bytes.length + " " + Long.toHexString(sum.getValue());
    }

    private static List<String> recorded(String file) throws IOException {
        try (InputStream in = TableRulesTest.class.getResourceAsStream(file)) {
            assertThat(in).as(file).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
