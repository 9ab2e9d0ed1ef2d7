import { namesOf } from '#fields'
import { rows } from './rows.ts'

/** The name of each is also the scene on its photos. `values` are what workers fill in; `at` and `place` are worked out. */
export const templates = {
  boiler: {
    name: 'Boiler service',
    seconds: 5400,
    tag: 'Gas fitting',
    pricebook: 'Heating and plumbing',
    steps: ['Arrive on site', 'Isolate and open', 'Service and test', 'Hand over'],
    fields: [
      { name: 'Readings', type: 'header' },
      { name: 'Gas pressure (mbar)', type: 'number', permission: 'required', values: ['20.9', '21.4', '19.8'] },
      { name: 'Flue temperature (°C)', type: 'number', values: ['118', '124', '131'] },
      { name: 'Condition', type: 'pick_list', options: ['Good', 'Worn', 'Unsafe'], values: ['Good', 'Good', 'Worn'] },
      {
        name: 'Parts fitted',
        type: 'multi_pick_list',
        options: ['Electrode', 'Fan', 'Gasket', 'Safety valve'],
        values: ['Electrode, Gasket', 'Gasket', 'Safety valve'],
      },
      { name: 'Safety valve tested', type: 'checkbox', permission: 'required', values: ['true'] },
      { name: 'Manual', type: 'link', permission: 'read_only', value: 'https://example.com/manuals/boilers' },
      { name: 'Proof', type: 'header' },
      { name: 'Photo of the boiler', type: 'image', permission: 'required' },
      { name: 'Signature of the customer', type: 'signature', permission: 'required' },
    ],
  },
  switchboard: {
    name: 'Switchboard inspection',
    seconds: 7200,
    tag: 'Registered electrician',
    pricebook: 'Electrical',
    steps: ['Arrive on site', 'Power off and test', 'Inspect', 'Power on and label'],
    fields: [
      { name: 'Power off from', type: 'datetime', values: ['at'] },
      { name: 'Position of the meter', type: 'location', values: ['place'] },
      { name: 'Earth resistance (Ω)', type: 'number', permission: 'required', values: ['0.42', '0.38', '0.51'] },
      {
        name: 'Result',
        type: 'pick_list',
        options: ['Passed', 'Passed with notes', 'Failed'],
        values: ['Passed', 'Passed with notes'],
      },
      { name: 'Repair, estimated', type: 'currency', values: ['0.00', '185.00', '420.50'] },
      { name: 'Notes of the office', type: 'text', permission: 'hidden', value: 'Invoice with the June contract' },
      { name: 'Photo of the board', type: 'image', permission: 'required' },
      { name: 'Signature of the customer', type: 'signature', permission: 'required' },
    ],
  },
  roof: {
    name: 'Roof and gutter check',
    seconds: 4500,
    tag: 'Working at height',
    pricebook: 'Heating and plumbing',
    steps: ['Arrive on site', 'Set up and anchor', 'Check and clear', 'Pack down'],
    fields: [
      { name: 'Harness checked', type: 'checkbox', permission: 'required', values: ['true'] },
      {
        name: 'Found',
        type: 'multi_pick_list',
        options: ['Nothing', 'Leaves', 'Rust', 'Loose fixings', 'Leak'],
        values: ['Leaves', 'Leaves, Rust', 'Loose fixings', 'Nothing'],
      },
      { name: 'Metres of gutter cleared', type: 'number', values: ['24', '38', '61'] },
      {
        name: 'For the next visit',
        type: 'text',
        values: ['Bring the long ladder', 'Replace the east downpipe', 'Nothing to note'],
      },
      { name: 'Photo of the roof', type: 'image', permission: 'required' },
      { name: 'Signature of the customer', type: 'signature' },
    ],
  },
} as const

export const pricebooks = {
  'Heating and plumbing': {
    about: 'Rates from July, without contract customers',
    items: rows(`
      LAB1  | Labour, first hour                    | 98.00
      LAB2  | Labour, each further half hour        | 45.00
      LAB3  | Labour, nights and Sundays, an hour   | 165.00
      CALL  | Call-out                              | 75.00
      KM    | Kilometre beyond 30                   | 1.10
      BS01  | Boiler service, up to 50 kW           | 285.00
      BS02  | Boiler service, 50 to 200 kW          | 420.00
      BS03  | Steam boiler service                  | 640.00
      GAS1  | Gas tightness test                    | 120.00
      GAS2  | Gas certificate                       | 60.00
      ELC1  | Ignition electrode                    | 38.50
      ELC2  | Ionisation electrode                  | 41.20
      FAN1  | Combustion fan                        | 389.00
      GSK1  | Gasket set, small                     | 24.90
      GSK2  | Gasket set, large                     | 56.40
      VLV1  | Safety valve 3 bar                    | 47.80
      VLV2  | Safety valve 6 bar                    | 63.10
      VLV3  | Isolation valve 22 mm                 | 29.95
      PMP1  | Circulator pump                       | 312.00
      EXP1  | Expansion vessel 18 litres            | 118.00
      EXP2  | Expansion vessel 35 litres            | 164.00
      THR1  | Thermostat                            | 89.00
      FLT1  | Magnetic filter                       | 142.50
      INH1  | Inhibitor, a litre                    | 27.30
      CU15  | Copper pipe 15 mm, a metre            | 11.80
      CU22  | Copper pipe 22 mm, a metre            | 17.40
      FIT1  | Fittings, small lot                   | 15.00
      GUT1  | Gutter clearing, a metre              | 6.50
      GUT2  | Gutter bracket                        | 9.20
      DWN1  | Downpipe 80 mm, a metre               | 22.60
      FLS1  | Flashing, a metre                     | 34.00
      SCR1  | Roof screws, 50                       | 28.75
      SEA1  | Roof sealant                          | 19.90
    `),
  },
  Electrical: {
    about: 'Rates from July, electrical work',
    items: rows(`
      ELAB1 | Electrician, first hour               | 105.00
      ELAB2 | Electrician, each further half hour   | 49.50
      ELAB3 | Electrician, nights and Sundays       | 178.00
      ECALL | Call-out                              | 75.00
      INS1  | Switchboard inspection, single phase  | 240.00
      INS2  | Switchboard inspection, three phase   | 360.00
      COC1  | Certificate of compliance             | 55.00
      THM1  | Thermal images and report             | 190.00
      MCB06 | Circuit breaker 6 A                   | 18.40
      MCB10 | Circuit breaker 10 A                  | 18.40
      MCB16 | Circuit breaker 16 A                  | 18.40
      MCB20 | Circuit breaker 20 A                  | 19.60
      MCB32 | Circuit breaker 32 A                  | 21.90
      MCB63 | Circuit breaker 63 A                  | 44.00
      RCD1  | Residual current device 30 mA         | 84.50
      RCBO1 | Breaker with residual current 16 A    | 79.00
      SW63  | Main switch 63 A                      | 68.00
      SW80  | Main switch 80 A                      | 92.00
      SPD1  | Surge protection                      | 215.00
      BUS1  | Busbar, 12 ways                       | 31.20
      LBL1  | Label set                             | 12.00
      CB15  | Cable 1.5 mm², a metre                | 2.10
      CB25  | Cable 2.5 mm², a metre                | 2.95
      CB60  | Cable 6 mm², a metre                  | 6.40
      CND1  | Conduit 20 mm, a metre                | 3.30
      GPO1  | Double socket                         | 24.80
      GPO2  | Double socket, weatherproof           | 46.50
      LED1  | Downlight                             | 32.00
      LED2  | Batten 1200 mm                        | 74.00
      EMG1  | Emergency light                       | 138.00
      SEN1  | Motion sensor                         | 61.00
    `),
  },
}

/** What the office notes on some jobs. */
export const notes = [
  'Ring twice; the bell is hard to hear',
  'Park in the yard, not on the street',
  'Ask for the plant room key at the front desk',
  'Customer wants a call half an hour before',
]

export type TemplateName = keyof typeof templates
export const templateNames = namesOf(templates)
